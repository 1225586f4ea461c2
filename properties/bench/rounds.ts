// Fair measuring on a shared machine: every contender runs once per round, rounds are interleaved,
// and the medians are compared. Only ratios of one run travel; absolute figures stay on the machine.

export interface Contender {
  readonly name: string;
  /** Runs once and returns how many operations it did per second. */
  readonly run: () => Promise<number>;
}

export interface Measured {
  readonly name: string;
  readonly perSecond: number;
  readonly rounds: readonly number[];
}

/** Interleaved rounds of every contender, after one unmeasured round each. */
export async function measureRounds(
  contenders: readonly Contender[],
  rounds: number,
): Promise<Measured[]> {
  const figures = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  for (let round = -1; round < rounds; round += 1) {
    for (const contender of contenders) {
      const perSecond = await contender.run();
      if (round >= 0) figures.get(contender.name)?.push(perSecond);
    }
  }
  return contenders.map(({ name }) => {
    const values = figures.get(name) ?? [];
    return { name, perSecond: Math.round(median(values)), rounds: values.map(Math.round) };
  });
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Runs `work` and returns operations per second by the machine's monotonic clock. */
export async function timeOperations(
  operations: number,
  work: () => Promise<void> | void,
): Promise<number> {
  const startedNs = process.hrtime.bigint();
  await work();
  return operations / (Number(process.hrtime.bigint() - startedNs) / 1e9);
}
