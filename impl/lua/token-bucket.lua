-- Token bucket: one bucket, one atomic decision, one write at most.
--
-- KEYS[1]  the bucket
-- ARGV[1]  cost in tokens, 0 .. 2^53 - 1; 0 is a peek and never writes
-- ARGV[2]  revision of the caller's policy, 1 .. 2^53 - 1
-- ARGV[3]  num, ARGV[4] den: the rate is num/den microtokens per millisecond, reduced, both >= 1
-- ARGV[5]  capacity in whole tokens, >= 1
--
-- Reply    six integers: status, remaining, retry_after, reset, capacity, flags
--   status       0 refused, 1 allowed, 2 refused because the cost exceeds the capacity
--   remaining    whole tokens left after this decision: the floor of the true level
--   retry_after  ms until the same request would be allowed, and not one earlier; 0 when allowed,
--                -1 when never
--   reset        ms until the bucket is full
--   capacity     tokens, of the parameters that ruled, which may be the stored ones
--   flags        sum of: 1 the store's clock is behind the bucket's, which stands still meanwhile;
--                2 it was behind by more than the time to full, and the bucket went on from now;
--                4 the caller's newer revision replaced the stored parameters; 8 a newer stored
--                revision ruled; 16 other parameters stored under the same revision ruled
-- Errors   "WEIRSTATE ..." when the key holds something this script did not write. Nobody is
--   admitted on it, and it does not block for ever: unless the key has a life already, it is given
--   the time in which an empty bucket fills.
--
-- Units    a level is in microtokens (10^-6 token); times are milliseconds of the store's TIME.
-- State    byte 0: format, 1. Then seven unsigned LEB128 integers (seven bits a byte, lowest first,
--          top bit set when more follow): revision, num, den, capacity, level, remainder, last_ms.
--          The exact level is level + remainder/den, its floor and the rest: refills mint nothing
--          and lose nothing, however often the bucket is polled.
--
-- Bound    cost admitted in any [s, t] of store time <= capacity + rate * (t - s).
-- Exact    every number below is an integer of at most 2^53, so doubles are exact. A policy is
--          refused at load unless capacity * 10^6 <= 2^53 - 2, (num + 1) * (den + 1) <= 2^53 and
--          the time from empty to full is at most 2^52 ms. M is capacity * 10^6; remainder < den.
--   a % b   and (a - a % b) / b, the floor of a / b, are exact for 0 <= a <= 2^53 and 1 <= b.
--   wait    rest < num, so rest * den - remainder lies in (-den, num * den), and rounding it up to
--           a multiple of num adds less than num: below (num + 1) * (den + 1). The quotient times
--           den is at most the time to full.
--   refill  only when elapsed is shorter than the wait to full, so elapsed * num / den <= M;
--           rest < den, so rest * num + remainder < (num + 1) * den.
--   reset   last - now is at most the time to full, or the bucket goes on from now: a sum <= 2^53.
--   change of capacity: |new - old| * 10^6 and the level are at most M of either.
-- Work     GET, TIME and at most one SET PX; the state is at most 57 bytes, usually 17.

local key = KEYS[1]
local cost = tonumber(ARGV[1])
local revision, num, den = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local capacity = tonumber(ARGV[5])
local level, remainder, last = capacity * 1000000, 0, 0
local flags = 0
local head

local byte, char = string.byte, string.char

-- The smallest number of milliseconds after which the level has grown by `deficit` microtokens.
local function wait(deficit)
  local rest = deficit % num
  local part = rest * den - remainder
  return (deficit - rest) / num * den + (part + -part % num) / num
end

-- An integer as LEB128.
local function pack(value)
  local bytes = ''
  while value > 127 do
    local low = value % 128
    bytes = bytes .. char(low + 128)
    value = (value - low) / 128
  end
  return bytes .. char(value)
end

-- A key with foreign contents: refused with a reason, and kept from blocking for ever.
local function refuse_foreign(what)
  remainder = 0
  if redis.call('PTTL', key) == -1 then
    redis.call('PEXPIRE', key, wait(capacity * 1000000))
  end
  return { err = 'WEIRSTATE ' .. what }
end

local state = redis.pcall('GET', key)
local time = redis.call('TIME')
local micros = tonumber(time[2])
local now = tonumber(time[1]) * 1000 + (micros - micros % 1000) / 1000
local from = now

if not state then
  last = now
else
  if type(state) == 'table' then
    if string.sub(state.err, 1, 9) == 'WRONGTYPE' then
      return refuse_foreign('the key holds another type of value')
    end
    return state
  end
  local length = #state
  if length > 57 or byte(state, 1) ~= 1 then
    return refuse_foreign('the key holds a value of unknown format')
  end

  -- Reads the next LEB128 integer. Past the end it reads zeros, which the check of the length finds.
  local position = 1
  local function unpack_next()
    position = position + 1
    local value = byte(state, position) or 0
    if value < 128 then
      return value
    end
    value = value - 128
    local scale = 128
    while true do
      position = position + 1
      local digit = byte(state, position) or 0
      if digit < 128 then
        return value + digit * scale
      end
      value = value + (digit - 128) * scale
      scale = scale * 128
    end
  end

  local stored_revision, stored_num, stored_den = unpack_next(), unpack_next(), unpack_next()
  local stored_capacity = unpack_next()
  head = position
  level, remainder, last = unpack_next(), unpack_next(), unpack_next()
  if position ~= length then
    return refuse_foreign('the key holds a damaged value')
  end
  if stored_num < 1 or remainder >= stored_den
    or level > stored_capacity * 1000000 then
    return refuse_foreign('the key holds a damaged value')
  end

  -- The past is settled under the parameters it was lived under.
  local new_num, new_den, new_capacity = num, den, capacity
  num, den, capacity = stored_num, stored_den, stored_capacity

  -- Time never runs backwards for a bucket. Only a bucket from so far ahead that it would be full
  -- before its time came again (a store that once lived in 2099) starts over from here.
  if last > now then
    local kept = remainder
    remainder = 0
    if last - now > wait(capacity * 1000000) then
      last = now
      flags = 2
    else
      from = last
      flags = 1
    end
    remainder = kept
  end

  local full = capacity * 1000000
  local elapsed = from - last
  if elapsed > 0 and level < full then
    if elapsed >= wait(full - level) then
      level, remainder = full, 0
    else
      local rest = elapsed % den
      local grown = rest * num + remainder
      remainder = grown % den
      level = level + (elapsed - rest) / den * num + (grown - remainder) / den
    end
  end
  last = from

  if revision > stored_revision then
    -- What was used stays used: the difference of the capacities is added or taken.
    level = level + (new_capacity - capacity) * 1000000
    if level < 0 then
      level = 0
    end
    num, den, capacity, remainder = new_num, new_den, new_capacity, 0
    flags = flags + 4
    head = nil
  elseif revision < stored_revision then
    flags = flags + 8
  elseif num ~= new_num or den ~= new_den or capacity ~= new_capacity then
    flags = flags + 16
  end
end

local status, retry_after = 0, 0
local need = 0
if cost > capacity then
  status, retry_after = 2, -1
else
  need = cost * 1000000
  if level >= need then
    status = 1
    level = level - need
  else
    retry_after = wait(need - level) + last - now
  end
end

local reset = wait(capacity * 1000000 - level) + last - now

-- A refusal changes nothing, except that a bucket once re-anchored or moved to a newer revision
-- stays so: otherwise the time it promised would not come. A peek never writes.
if cost > 0 and (status == 1 or flags % 8 > 1) then
  local parameters
  if head then
    parameters = string.sub(state, 1, head)
  else
    parameters = char(1) .. pack(revision) .. pack(num) .. pack(den) .. pack(capacity)
  end
  local life = reset
  if life < 1 then
    life = 1
  end
  redis.call('SET', key, parameters .. pack(level) .. pack(remainder) .. pack(last), 'PX', life)
end

return { status, (level - level % 1000000) / 1000000, retry_after, reset, capacity, flags }
