// What a run is made from: plain, validated data. A scenario says everything that shapes a run, so
// the same scenario gives the same digest on any machine. Nothing here is computed; the world reads
// it, the arbitraries draw it, the shrinker makes it smaller and a trace stores it whole.

import { z } from 'zod';

const hostName = z.string().regex(/^(redis|upstream|clients|gateway-\d+|replica-\d+)$/, {
  error: 'a host: redis, upstream, clients, gateway-N or replica-N',
});
const milliseconds = z.int().min(0).max(86_400_000);
const microseconds = z.int().min(0).max(86_400_000_000);

/** One request a client sends, with the behaviour of that client when it is refused. */
export const requestSchema = z.strictObject({
  /**
   * Stable: it names the request in every draw, event and digest, also after shrinking. At most
   * 2^25 − 1, since an operation's id is 32 times this plus the attempt and stays below 2^30.
   */
  id: z.int().min(1).max(0x1ff_ffff),
  /** Microseconds of true time since the run's start at which it reaches its gateway. */
  atUs: microseconds,
  tenant: z.string().max(200),
  user: z.string().max(200),
  method: z.string().min(1).max(20),
  path: z.string().max(2000),
  cost: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
  /** Which gateway receives it; taken modulo the number of gateways. */
  gateway: z.int().min(0).max(1_000_000),
  /** What the client does when refused: nothing, wait as told, or ask again after a fixed delay. */
  retry: z
    .discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('obey'), attempts: z.int().min(1).max(20) }),
      z.strictObject({
        kind: z.literal('ignore'),
        attempts: z.int().min(1).max(20),
        delayMs: z.int().min(1).max(60_000),
      }),
    ])
    .optional(),
});

const streamBase = {
  /**
   * Stable: it keys every draw of this stream, so removing another stream leaves it as it was. A
   * request's id is 1 000 000 times this plus its ordinal.
   */
  id: z.int().min(1).max(32),
  /** The limit whose route, method and key dimensions the requests are made for. */
  limit: z.string(),
  startMs: milliseconds,
  endMs: milliseconds,
  /** How many tenants and users per tenant take part. */
  tenants: z.int().min(1).max(100_000),
  users: z.int().min(1).max(100_000),
  /** `awkward` names are full of separators and escapes, so that careless key encodings collide. */
  names: z.enum(['plain', 'awkward']).optional(),
  cost: z.strictObject({ min: z.int().min(0), max: z.int().min(0) }),
  retry: requestSchema.shape.retry,
};
const ratePerSecond = z.number().positive().max(100_000);

/** A source of requests. Times within a stream are drawn by keyed randomness from the seed. */
export const streamSchema = z.discriminatedUnion('kind', [
  /** Exponential gaps at a mean rate, tenant and user drawn evenly. */
  z.strictObject({ kind: z.literal('poisson'), ...streamBase, ratePerSecond }),
  /** `size` requests at one instant, every `everyMs`. */
  z.strictObject({
    kind: z.literal('bursts'),
    ...streamBase,
    size: z.int().min(1).max(10_000),
    everyMs: z.int().min(1),
  }),
  /** A burst just before and one just after every multiple of `windowMs` (the boundary attack). */
  z.strictObject({
    kind: z.literal('boundary'),
    ...streamBase,
    size: z.int().min(1).max(10_000),
    windowMs: z.int().min(10),
    gapMs: z.int().min(1),
  }),
  /** Poisson in time, tenants drawn by Zipf with this exponent. */
  z.strictObject({
    kind: z.literal('zipf'),
    ...streamBase,
    ratePerSecond,
    exponent: z.number().positive().max(5),
  }),
  /** One tenant and one user get `share` of a Poisson stream, the others the rest. */
  z.strictObject({
    kind: z.literal('hot-key'),
    ...streamBase,
    ratePerSecond,
    share: z.number().min(0).max(1),
  }),
  /** One client that asks again every `everyMs`, whatever the answer. */
  z.strictObject({ kind: z.literal('looping-client'), ...streamBase, everyMs: z.int().min(1) }),
]);

export const workloadSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('streams'),
    streams: z.array(streamSchema).max(20),
    /** Requests beside the streams, a log's for instance; ids below 1 000 000. */
    requests: z.array(requestSchema).max(2_000_000).optional(),
  }),
  z.strictObject({ kind: z.literal('requests'), requests: z.array(requestSchema).max(2_000_000) }),
]);

const faultBase = {
  /** Stable: it names the fault in every draw, event and trace, also after shrinking. */
  id: z.int().min(1).max(1_000_000),
  atMs: milliseconds,
};
const durationMs = z.int().min(1).max(3_600_000);

/** A fault: when, for how long, on whom. Everything heals by itself when its duration ends. */
export const faultSchema = z.discriminatedUnion('kind', [
  /** Bytes and messages between two hosts are held (TCP retransmits) until it heals. */
  z.strictObject({
    kind: z.literal('partition'),
    ...faultBase,
    durationMs,
    from: hostName,
    to: hostName,
    direction: z.enum(['both', 'forward']),
  }),
  /** Bytes between two hosts vanish without a word; connections hang and stay hung. */
  z.strictObject({
    kind: z.literal('black-hole'),
    ...faultBase,
    durationMs,
    from: hostName,
    to: hostName,
  }),
  /** Every connection between the two hosts is reset, bytes in flight are lost. */
  z.strictObject({ kind: z.literal('reset'), ...faultBase, from: hostName, to: hostName }),
  /** The next script that runs for this host finishes, then the connection is cut: no reply. */
  z.strictObject({ kind: z.literal('reply-lost'), ...faultBase, host: hostName }),
  /** The next script's connection is reset while it runs; the script finishes on the store. */
  z.strictObject({ kind: z.literal('reset-mid-script'), ...faultBase, host: hostName }),
  /** New connections to the store are refused. */
  z.strictObject({ kind: z.literal('refuse-connections'), ...faultBase, durationMs }),
  /** The store stops and comes back, with its data or without; scripts are forgotten. */
  z.strictObject({ kind: z.literal('store-restart'), ...faultBase, durationMs, lose: z.boolean() }),
  z.strictObject({ kind: z.literal('script-flush'), ...faultBase }),
  /** Every message between the hosts is delivered in pieces of at most `bytes`. */
  z.strictObject({
    kind: z.literal('fragmentation'),
    ...faultBase,
    durationMs,
    from: hostName,
    to: hostName,
    bytes: z.int().min(1).max(1000),
  }),
  /** Added one-way latency. */
  z.strictObject({
    kind: z.literal('slow-link'),
    ...faultBase,
    durationMs,
    from: hostName,
    to: hostName,
    extraUs: z.int().min(1).max(60_000_000),
  }),
  z.strictObject({ kind: z.literal('crash'), ...faultBase, durationMs, host: hostName }),
  /** The process stands still (a collection, a stopped machine); the store may be paused too. */
  z.strictObject({ kind: z.literal('pause'), ...faultBase, durationMs, host: hostName }),
  /** The wall clock jumps by `ms`, forward or backward. */
  z.strictObject({
    kind: z.literal('clock-step'),
    ...faultBase,
    host: hostName,
    ms: z.int().min(-4_000_000_000_000).max(4_000_000_000_000),
  }),
  /** The host's clocks run fast or slow by parts per million from here on. */
  z.strictObject({
    kind: z.literal('clock-drift'),
    ...faultBase,
    host: hostName,
    ppm: z.int().min(-100_000).max(100_000),
  }),
  /** All replicas are restarted together with another policy document. */
  z.strictObject({ kind: z.literal('policy-change'), ...faultBase, policies: z.unknown() }),
]);

/** One-way latency: at least `minUs`, plus an exponential tail with mean `tailUs`. */
export const latencySchema = z.strictObject({ minUs: microseconds, tailUs: microseconds });

export const scenarioSchema = z.strictObject({
  format: z.literal(1),
  seed: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
  /** A policy document as `parsePolicies` of the limiter takes it, already in plain data. */
  policies: z.unknown(),
  topology: z.strictObject({
    gateways: z.int().min(1).max(100),
    replicas: z.int().min(1).max(200),
    /** Wall clock offsets at the start, by host name. */
    clockOffsetsMs: z.record(hostName, z.int()),
    gatewayLink: latencySchema,
    storeLink: latencySchema,
    /** How long the store's one thread is busy with a script, and with any other command. */
    scriptUs: z.int().min(0).max(1_000_000),
    commandUs: z.int().min(0).max(1_000_000),
  }),
  workload: workloadSchema,
  faults: z.array(faultSchema).max(1000),
  knobs: z.strictObject({
    /** The limiter's deadline for one check. */
    deadlineMs: z.int().min(1).max(60_000),
    /** How long a gateway waits for its replica before it refuses by itself. */
    gatewayDeadlineMs: z.int().min(1).max(120_000),
    /** Simulated time after the last request and fault in which everything must have recovered. */
    settleMs: milliseconds,
  }),
});

export type Scenario = z.infer<typeof scenarioSchema>;
export type Workload = z.infer<typeof workloadSchema>;
export type Stream = z.infer<typeof streamSchema>;
export type Request = z.infer<typeof requestSchema>;
export type Fault = z.infer<typeof faultSchema>;
export type Latency = z.infer<typeof latencySchema>;
