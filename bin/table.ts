// Tables for people: columns as wide as their widest cell, numbers to the right.

export interface Column {
  readonly title: string;
  readonly align: 'left' | 'right';
}

/** Lines of a table; the first is its head. */
export function formatTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): string[] {
  const titles = columns.map(({ title }) => title);
  const widths = columns.map((_, index) =>
    Math.max(...[titles, ...rows].map((row) => (row[index] ?? '').length)),
  );
  return [titles, ...rows].map((row) =>
    columns
      .map(({ align }, index) => {
        const cell = row[index] ?? '';
        const width = widths[index] ?? 0;
        return align === 'right' ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd(),
  );
}

/** A whole number with separators between thousands. */
export function formatCount(value: number): string {
  return Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',');
}
