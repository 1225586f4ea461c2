// Progress on stderr while a campaign runs, and only when that is a terminal: logs stay clean.

import { SingleBar } from 'cli-progress';

export interface ProgressBar {
  update(done: number, note: string): void;
  stop(): void;
}

const silent: ProgressBar = { update: () => {}, stop: () => {} };

/** A bar for this many seeds; undefined: a count without an end. */
export function createProgressBar(seeds: number | undefined): ProgressBar {
  if (!process.stderr.isTTY) return silent;
  const format =
    seeds === undefined
      ? '{value} seeds, {duration_formatted} {note}'
      : '{bar} {value}/{total} seeds {note}';
  const bar = new SingleBar({
    stream: process.stderr,
    format,
    hideCursor: true,
    clearOnComplete: true,
    barsize: 30,
  });
  bar.start(seeds ?? 0, 0, { note: '' });
  return { update: (done, note) => bar.update(done, { note }), stop: () => bar.stop() };
}
