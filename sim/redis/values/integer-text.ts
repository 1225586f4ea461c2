// Writes whole numbers as text. `String(n)` keeps each text in a cache of the engine, which times and
// durations fill with what is never asked for again; below a million two ready pieces are quicker.

const thousand = 1000;
const million = 1_000_000;

const plain: readonly string[] = Array.from({ length: thousand }, (_, index) => `${index}`);
const padded: readonly string[] = plain.map((text) => text.padStart(3, '0'));

/** The decimal digits of a whole number from 0 to 2^53 - 1. */
export function integerText(value: number): string {
  if (value < thousand) return plain[value] ?? String(value);
  if (value >= million) return String(value);
  const rest = value % thousand;
  return `${plain[(value - rest) / thousand]}${padded[rest]}`;
}
