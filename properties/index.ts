// The public surface of the properties: what a limiter is held to, the scenarios it is held to it in,
// and what is needed to put another limiter through them.

import '../sim/kernel/platform.ts';

export { drawScenario, type ScenarioOptions, scenarioArbitrary } from './arbitraries/scenario.ts';
export { createCheckersFor, type Invariant, invariants } from './invariants/index.ts';
export { marks, type ReachedMark } from './reached.ts';
export { checkRelation, type RelationResult } from './relations/check-relation.ts';
export type { Relation, ScenarioPair } from './relations/relation.ts';
export { relations } from './relations/relations.ts';
export { ClientMissingError, loadClient } from './subjects/ioredis-clients.ts';
export { createWeirSubject } from './subjects/weir.ts';
