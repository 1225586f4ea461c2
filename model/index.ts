// What a limiter must do, as exact and pure as it can be said. The oracle of every check.

export { type Admission, AdmissionBound } from './admission-bound.ts';
export {
  type BucketParameters,
  createBucketParameters,
  MICROTOKENS_PER_TOKEN,
} from './bucket-parameters.ts';
export { decideGcra, type GcraDecision, type GcraState } from './gcra.ts';
export {
  add,
  divideDown,
  divideUp,
  type Integer,
  multiply,
  subtract,
} from './integers.ts';
export { formatMicrotokens, Ledger } from './ledger.ts';
export {
  findLimit,
  identifyBucket,
  type LimitReading,
  type PolicyReading,
  type RequestDescriptor,
  readPolicies,
} from './policy.ts';
export { parseRate, type Rate } from './rate.ts';
export { isRouteMatch, splitPath } from './route.ts';
export {
  type BucketDecision,
  type BucketRequest,
  type BucketState,
  decideTokenBucket,
  fullAtMs,
} from './token-bucket.ts';
