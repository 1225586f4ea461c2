// Colours only on a terminal, never in a file or a log, and never where NO_COLOR is set.

import picocolors from 'picocolors';

export type Colours = ReturnType<typeof picocolors.createColors>;

export function coloursFor(stream: NodeJS.WriteStream): Colours {
  return picocolors.createColors(stream.isTTY === true && picocolors.isColorSupported);
}
