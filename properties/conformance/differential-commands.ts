// Differential fuzzing of commands: random requests over a few keys of all types, with arguments at
// the edges, plain, inside scripts and inside transactions. Left out is what Redis decides at random
// (orders of large values, RANDOMKEY, SCAN, whether DBSIZE counts expired keys) and what the real clock decides (short expiries).

import seedrandom from 'seedrandom';
import { Draw, type Expectation, SimulatedConversation } from './differential.ts';

/** `count` requests of one seed as one conversation, which starts on an empty store. */
export function createCommandCases(seed: number, count: number): readonly Expectation[] {
  const draw = new Draw(seedrandom(`commands ${seed}`));
  const conversation = new SimulatedConversation();
  const cases = [conversation.askAll([['FLUSHALL'], ['HELLO', draw.pick(['2', '3'])]])];
  while (cases.length < count) {
    const request = drawRequest(draw);
    cases.push(conversation.askAll([draw.chance(0.15) ? wrap(draw, request) : request]));
  }
  return [...cases, conversation.askAll([['DISCARD'], ['UNWATCH']])];
}

/** Remaining lives count down by the real clock, and connection numbers tell nothing. */
export function areCommandRepliesEqual(
  simulated: string,
  real: string,
  args: readonly string[],
): boolean {
  return simulated === real || blurTimes(simulated, args) === blurTimes(real, args);
}

function blurTimes(reply: string, args: readonly string[]): string {
  const words = args.map((arg) => arg.toLowerCase());
  const isLife = words.some((word) => word === 'ttl' || word === 'pttl' || word === 'exec');
  const isRelative = words.some((word) => word === 'expiretime' || word === 'pexpiretime');
  if (isLife || isRelative) return reply.replace(/:\d{4,}\r\n/g, ':long\r\n');
  return words[0] === 'hello' ? reply.replace(/(id\r\n):\d+/, '$1:0') : reply;
}

/** The request as a script would make it. */
function wrap(draw: Draw, request: readonly string[]): readonly string[] {
  const call = draw.pick(['call', 'pcall']);
  const text = draw.pick([
    `return redis.${call}(unpack(ARGV))`,
    `return {1, redis.${call}(unpack(ARGV))}`,
    `redis.setresp(3) return redis.${call}(unpack(ARGV))`,
    `local r = redis.${call}(unpack(ARGV)) return type(r)`,
  ]);
  return ['EVAL', text, '0', ...request];
}

function drawRequest(draw: Draw): readonly string[] {
  const [name, ...shape] = draw.pick(shapes).split(' ');
  const args: string[] = [draw.chance(0.5) ? (name ?? '') : (name ?? '').toLowerCase()];
  for (const word of shape) args.push(...drawArgument(draw, word));
  // Now and then one argument too few or too many.
  if (draw.chance(0.02)) args.pop();
  if (draw.chance(0.02)) args.push(drawText(draw));
  return args.length === 0 ? ['PING'] : args;
}

/** What the words of a shape stand for; any other word is itself. */
function drawArgument(draw: Draw, word: string): readonly string[] {
  if (word.endsWith('*')) {
    const once = word.slice(0, -1);
    const times = draw.integer(1, 4);
    return Array.from({ length: times }, () =>
      once.split('+').flatMap((w) => drawArgument(draw, w)),
    ).flat();
  }
  if (word.endsWith('?')) return draw.chance(0.4) ? drawArgument(draw, word.slice(0, -1)) : [];
  switch (word) {
    case 'key':
      return [draw.pick(keys)];
    // Ranges by member are defined only where all scores are equal.
    case 'evenkey':
      return [draw.pick(['even1', 'even2'])];
    case 'text':
      return [drawText(draw)];
    case 'field':
      return [draw.pick(['a', 'b', 'c', 'd', 'e', ''])];
    case 'int':
      return [drawInteger(draw)];
    case 'float':
      return [draw.pick(floats)];
    case 'score':
      return [draw.chance(0.5) ? String(draw.integer(-5, 5)) : draw.pick(floats)];
    case 'bound':
      return [draw.pick(['-inf', '+inf', '(1', '(2.5', '0', '3', '-2', '(', '', 'x', '(inf'])];
    case 'lex':
      return [draw.pick(['-', '+', '[a', '(b', '[c', '(d', '[', 'x', ''])];
    case 'life':
      return [draw.pick(['100000', '1000000000', '0', '-1', 'x', '1.5', '9223372036854775807'])];
    case 'instant':
      return [draw.pick(['9999999999', '1', '0', '-5', '99999999999999', 'abc', '8000000000000'])];
    case 'condition':
      return [draw.pick(['NX', 'XX', 'GT', 'LT', 'nx', 'CH', 'INCR', 'foo'])];
    case 'setoption':
      return draw.pick([
        ['NX'],
        ['XX'],
        ['GET'],
        ['KEEPTTL'],
        ['EX', ...drawArgument(draw, 'life')],
        ['PX', ...drawArgument(draw, 'life')],
        ['EXAT', ...drawArgument(draw, 'instant')],
        ['PXAT', ...drawArgument(draw, 'instant')],
        ['PERSIST'],
      ]);
    case 'rangeoption':
      return draw.pick([
        ['WITHSCORES'],
        ['REV'],
        ['BYSCORE'],
        ['LIMIT', drawInteger(draw), drawInteger(draw)],
        ['LIMIT', '0', '2'],
      ]);
    default:
      return [word];
  }
}

function drawText(draw: Draw): string {
  if (draw.chance(0.4))
    return draw.pick(['', 'abc', '10', '-7', '3.5', ' 1', '1e3', 'a\0b', '\xff']);
  const letters = draw.integer(0, 12);
  return Array.from({ length: letters }, () => String.fromCharCode(draw.integer(32, 126))).join('');
}

function drawInteger(draw: Draw): string {
  if (draw.chance(0.7)) return String(draw.integer(-10, 10));
  return draw.pick([
    '9223372036854775807',
    '-9223372036854775808',
    '9223372036854775808',
    '9007199254740993',
    '-9007199254740993',
    '1000000',
    'abc',
    '',
    '1.5',
    '01',
    '+1',
    '-0',
  ]);
}

const keys: readonly [string, ...string[]] = [
  's1',
  's2',
  'n1',
  'n2',
  'h1',
  'h2',
  'z1',
  'z2',
  'k:{t}',
];

const floats: readonly [string, ...string[]] = [
  '0.1',
  '0.2',
  '-0.3',
  '1e3',
  '3.0',
  '1e17',
  '-1.5e-3',
  '123456.789',
  '0.30000000000000004',
  '1700000000123.4561',
  'inf',
  '-inf',
  'nan',
  'x',
  '',
  ' 1',
  '1e400',
  '.5',
  '5.',
  '1e-20',
];

/** Commands and what their arguments are; types are mixed up on purpose. */
const shapes: readonly [string, ...string[]] = [
  'SET key text',
  'SET key int',
  'SET key text setoption?',
  'SET key text setoption setoption?',
  'GET key',
  'GETEX key setoption?',
  'GETDEL key',
  'GETSET key text',
  'SETNX key text',
  'SETEX key life text',
  'PSETEX key life text',
  'MGET key*',
  'MSET key+text*',
  'MSETNX key+text*',
  'APPEND key text',
  'STRLEN key',
  'GETRANGE key int int',
  'SETRANGE key 3 text',
  'SETRANGE key -1 text',
  'INCR key',
  'DECR key',
  'INCRBY key int',
  'DECRBY key int',
  'INCRBYFLOAT key float',
  'HSET key field+text*',
  'HMSET key field+text*',
  'HSETNX key field text',
  'HGET key field',
  'HMGET key field*',
  'HGETALL key',
  'HDEL key field*',
  'HEXISTS key field',
  'HLEN key',
  'HKEYS key',
  'HVALS key',
  'HSTRLEN key field',
  'HINCRBY key field int',
  'HINCRBYFLOAT key field float',
  'ZADD key score+field*',
  'ZADD key condition? condition? score+field*',
  'ZINCRBY key score field',
  'ZSCORE key field',
  'ZMSCORE key field*',
  'ZCARD key',
  'ZCOUNT key bound bound',
  'ZLEXCOUNT evenkey lex lex',
  'ZRANGE key int int rangeoption? rangeoption?',
  'ZRANGE key bound bound BYSCORE rangeoption? rangeoption?',
  'ZRANGE evenkey lex lex BYLEX rangeoption?',
  'ZRANGEBYSCORE key bound bound rangeoption?',
  'ZREVRANGEBYSCORE key bound bound rangeoption?',
  'ZREVRANGE key int int rangeoption?',
  'ZADD evenkey 0+field*',
  'ZADD evenkey 0+field*',
  'ZRANGEBYLEX evenkey lex lex',
  'ZREVRANGEBYLEX evenkey lex lex',
  'ZRANK key field',
  'ZREVRANK key field',
  'ZREM key field*',
  'ZREMRANGEBYSCORE key bound bound',
  'ZREMRANGEBYRANK key int int',
  'ZREMRANGEBYLEX evenkey lex lex',
  'ZPOPMIN key int?',
  'ZPOPMAX key int?',
  'DEL key*',
  'UNLINK key',
  'EXISTS key*',
  'TYPE key',
  'RENAME key key',
  'RENAMENX key key',
  'EXPIRE key life condition?',
  'PEXPIRE key life condition? condition?',
  'EXPIREAT key instant condition?',
  'PEXPIREAT key instant condition?',
  'TTL key',
  'PTTL key',
  'EXPIRETIME key',
  'PEXPIRETIME key',
  'PERSIST key',
  'MULTI',
  'EXEC',
  'EXEC',
  'DISCARD',
  'WATCH key*',
  'UNWATCH',
  'PING text?',
  'ECHO text',
  'nosuch text*',
  'CLIENT GETNAME',
  'SCRIPT KILL',
];
