// `npm run bench`: the figures this project states about its own speed, each beside a peer measured
// in the same run. `--json` prints one document. Needs the built `dist` and a redis-server.

import '../../sim/kernel/platform.ts';
import { cpus } from 'node:os';
import { findInstalledVersion, startRealRedis } from '../conformance/real-redis.ts';
import { loadClient } from '../subjects/ioredis-clients.ts';
import { measureCampaign } from './campaign-figures.ts';
import { exactAnswer, runFakeTimers } from './fake-timers.ts';
import { fullSimulation, runVirtualMinute } from './full-simulation.ts';
import { type Measured, measureRounds, median } from './rounds.ts';
import {
  compiledScript,
  createRealScript,
  mockScript,
  tokenBucketText,
  virtualMinuteArguments,
} from './script-contenders.ts';

const rounds = 7;
const campaignSeeds = 1000;
/** The slow side takes many seconds; the quick one is repeated as often as everything else. */
const fakeTimerRounds = 1;

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

async function measureScripts(): Promise<Measured[]> {
  say('The production script: simulated Redis, ioredis-mock, real Redis …');
  if (findInstalledVersion() === undefined)
    return measureRounds([compiledScript, mockScript], rounds);
  const server = await startRealRedis();
  const real = createRealScript(server.port);
  try {
    return await measureRounds([compiledScript, mockScript, real], rounds);
  } finally {
    real.close();
    await server.stop();
  }
}

async function measureVirtualMinute() {
  say('10 000 checks over 60 virtual seconds: here, and fake timers + ioredis-mock …');
  const ours: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const { seconds } = await runVirtualMinute();
    if (round > 0) ours.push(seconds);
  }
  const theirs = await runFakeTimers(tokenBucketText, virtualMinuteArguments, fakeTimerRounds);
  const seconds = median(ours);
  return {
    exact: exactAnswer,
    weir: { seconds, allowed: exactAnswer },
    fakeTimers: theirs,
    timesFaster: theirs.seconds / seconds,
  };
}

async function main(): Promise<void> {
  loadClient(5);
  say('The full simulation …');
  const [full] = await measureRounds([fullSimulation], rounds);
  const scripts = await measureScripts();
  const virtualMinute = await measureVirtualMinute();
  say(`A campaign of ${campaignSeeds} seeds on one core …`);
  const campaign = await measureCampaign(campaignSeeds);
  const compiled = scripts[0]?.perSecond ?? Number.NaN;
  const document = {
    node: process.version,
    cpu: cpus()[0]?.model,
    rounds,
    fullSimulation: full,
    scripts: scripts.map((script) => ({ ...script, ratio: compiled / script.perSecond })),
    virtualMinute,
    campaign,
  };
  if (process.argv.includes('--json'))
    process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
  else print(document);
}

function print(document: {
  fullSimulation: Measured | undefined;
  scripts: (Measured & { ratio: number })[];
  virtualMinute: Awaited<ReturnType<typeof measureVirtualMinute>>;
  campaign: Awaited<ReturnType<typeof measureCampaign>>;
}): void {
  const { fullSimulation: full, scripts, virtualMinute, campaign } = document;
  const lines = [
    `full simulation            ${full?.perSecond} checks/s on one core`,
    ...scripts.map(
      ({ name, perSecond, ratio }) =>
        `${name.padEnd(26)} ${perSecond} EVALSHA/s (the compiled script does ${ratio.toFixed(1)} times that)`,
    ),
    `10 000 checks, 60 s        ${virtualMinute.weir.seconds.toFixed(3)} s, ${virtualMinute.weir.allowed} allowed (exact: ${virtualMinute.exact})`,
    `  fake timers + mock       ${virtualMinute.fakeTimers.seconds.toFixed(2)} s, ${virtualMinute.fakeTimers.allowed} allowed: ${virtualMinute.timesFaster.toFixed(1)} times slower`,
    `campaign                   ${campaign.seedsPerHour} seeds/hour on one core, peak ${campaign.peakMegabytes} MB over ${campaign.seeds} seeds`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

await main();
