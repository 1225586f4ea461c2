// What a campaign costs, measured on the built command in its own process: seeds per hour on one
// core, and the most memory it ever held.

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const summarySchema = z.object({
  seeds: z.number(),
  decisions: z.number(),
  wallSeconds: z.number(),
});

export interface CampaignFigures {
  readonly seeds: number;
  readonly decisions: number;
  readonly seedsPerHour: number;
  readonly peakMegabytes: number;
}

/** Runs `weir check` over so many seeds with one job; its own process, so that nothing is shared. */
export async function measureCampaign(seeds: number): Promise<CampaignFigures> {
  const weir = fileURLToPath(new URL('../../bin/weir.js', import.meta.url));
  const script = fileURLToPath(new URL('./peak-memory.js', import.meta.url));
  const check = ['check', '--seeds', String(seeds), '--jobs', '1', '--json'];
  const child = spawn(process.execPath, ['--import', script, weir, ...check], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`weir check ended with code ${code}: ${errors}`);
  const { decisions, wallSeconds } = summarySchema.parse(JSON.parse(output));
  return {
    seeds,
    decisions,
    seedsPerHour: Math.round((seeds / wallSeconds) * 3600),
    peakMegabytes: Number(/peak memory (\d+) MB/.exec(errors)?.[1]),
  };
}
