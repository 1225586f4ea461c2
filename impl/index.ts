// The limiter's public API, listed by hand. Nothing else is meant to be imported from outside.

export type { Decision, DecisionNote, DenialReason, LimitState, StoreFailure } from './decision.ts';
export type { Descriptor } from './descriptor/descriptor.ts';
export { type FieldDraft, formatRateLimitFields, statusOf } from './http/rate-limit-fields.ts';
export {
  type CheckOptions,
  createLimiter,
  type Limiter,
  LimiterClosedError,
  type LimiterOptions,
  STORE_RETRY_AFTER_MS,
} from './limiter.ts';
export { PolicyError } from './policy/error.ts';
export { parsePolicies } from './policy/parse-policies.ts';
export type { CompiledLimit, PolicySet } from './policy/policy-set.ts';
export type { Rate } from './policy/rate.ts';
export type { Dimension, PolicyDocument } from './policy/schema.ts';
export type { TokenBucketParameters } from './policy/token-bucket.ts';
export type { RedisClient, RedisClientEvent, RedisClientOptions } from './store/redis-client.ts';
export { type Script, TOKEN_BUCKET_SCRIPT } from './store/script.ts';
export { UsageError, type UsageErrorCode } from './usage-error.ts';
