// Reads the contract of a subject's file. A name that is spelled wrongly would be a promise nobody
// looks at, and a green that says nothing; so every name is held against those there are.

import { z } from 'zod';
import { readPolicies } from '../../model/index.ts';
import { shippedPolicies } from '../../sim/workload/shipped.ts';
import { SubjectError } from './load-subject-error.ts';
import { algorithms, modelPromises, promiseNames, wholeRunPromises } from './promises.ts';
import type { ScenarioSource } from './settings.ts';

/** What drawn policy documents call their limits (`arbitraries/policies.ts`). */
const drawnLimitIds = ['limit-1', 'limit-2', 'limit-3', 'limit-4'];

const positive = z.int({ error: 'a positive integer' }).positive({ error: 'a positive integer' });

const policySchema = z.strictObject({
  algorithm: z.string(),
  capacity: positive,
  rate: z.strictObject({ tokens: positive, periodMs: positive }),
  promises: z.array(z.string()).min(1, { error: 'at least one promise' }),
});

/** The shape of a contract, by policy id; `checkContract` judges its names. */
export const contractSchema = z
  .record(z.string(), policySchema)
  .refine((contract) => Object.keys(contract).length > 0, {
    error: 'at least one policy id; leave the contract out to promise everything',
  });

type Contract = z.infer<typeof contractSchema>;

/** Refuses names that do not exist and promises that cannot be judged. Throws SubjectError. */
export function checkContract(file: string, contract: Contract): void {
  for (const [id, policy] of Object.entries(contract)) {
    const path = `default.contract.${id}`;
    checkAlgorithm(file, `${path}.algorithm`, policy.algorithm);
    policy.promises.forEach((promise, index) => {
      checkPromise({ file, path: `${path}.promises.${index}`, promise, policy, contract });
    });
  }
}

/** Refuses ids of a contract that no scenario of this campaign can have. Throws SubjectError. */
export function checkContractIds(
  file: string,
  contract: Readonly<Record<string, unknown>> | undefined,
  source: ScenarioSource,
): void {
  const known = findPolicyIds(source);
  for (const id of Object.keys(contract ?? {})) {
    if (known.includes(id)) continue;
    throw new SubjectError({
      file,
      path: `default.contract.${id}`,
      value: JSON.stringify(id),
      expected: `a limit of the policy document: ${known.join(', ')}`,
    });
  }
}

function findPolicyIds(source: ScenarioSource): string[] {
  const document = source.kind === 'given' ? source.scenario.policies : source.policies;
  if (document !== undefined) return readPolicies(document).limits.map(({ id }) => id);
  // Without a document of its own a campaign draws them, in turn with the shipped one.
  const shipped = readPolicies(shippedPolicies()).limits.map(({ id }) => id);
  return [...new Set([...shipped, ...drawnLimitIds])];
}

function checkAlgorithm(file: string, path: string, name: string): void {
  if (algorithms.has(name)) return;
  const expected = `one of ${[...algorithms.keys()].join(', ')}`;
  throw new SubjectError({ file, path, value: JSON.stringify(name), expected });
}

interface PromiseInContract {
  readonly file: string;
  readonly path: string;
  readonly promise: string;
  readonly policy: Contract[string];
  readonly contract: Contract;
}

function checkPromise({ file, path, promise, policy, contract }: PromiseInContract): void {
  const refuse = (expected: string): never => {
    throw new SubjectError({ file, path, value: JSON.stringify(promise), expected });
  };
  if (!promiseNames.includes(promise)) refuse(`one of ${promiseNames.join(', ')}`);
  const isModelled = algorithms.get(policy.algorithm)?.isModelled === true;
  if (modelPromises.has(promise) && !isModelled) {
    const modelled = [...algorithms].filter(([, algorithm]) => algorithm.isModelled);
    const names = modelled.map(([name]) => name).join(', ');
    refuse(
      `another promise under ${policy.algorithm}: it needs an algorithm this version models: ${names}`,
    );
  }
  const others = Object.values(contract);
  if (wholeRunPromises.has(promise) && !others.every((each) => each.promises.includes(promise))) {
    refuse('every policy of the contract to promise it: it compares whole runs');
  }
}
