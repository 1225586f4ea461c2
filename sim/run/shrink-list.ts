// Delta debugging over a list: removes what the failure does not need, large pieces first (after
// Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002).

/** Whether the failure remains with these items alone. */
export type TryItems<T> = (items: readonly T[]) => Promise<boolean>;

/**
 * Removes pieces of half the list, of a quarter and so on down to single items, until no single
 * item can go. With k needed items of n it takes about 2k·log2(n/k) tries, and k more to see the
 * end of it.
 */
export async function reduceList<T>(items: readonly T[], tryItems: TryItems<T>): Promise<void> {
  let kept = items;
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = nextSize(size)) {
    let hasShrunk: boolean;
    do {
      const before = kept.length;
      kept = await removePieces(kept, size, tryItems);
      hasShrunk = kept.length < before;
      // Single items are tried until none can go: one removal may make another possible.
    } while (size === 1 && hasShrunk);
  }
}

function nextSize(size: number): number {
  return size === 1 ? 0 : Math.ceil(size / 2);
}

/** From the end, since what happened last matters most seldom once the violation is there. */
async function removePieces<T>(
  items: readonly T[],
  size: number,
  tryItems: TryItems<T>,
): Promise<readonly T[]> {
  let kept = items;
  for (let end = kept.length; end > 0; end -= size) {
    const start = Math.max(0, end - size);
    const without = [...kept.slice(0, start), ...kept.slice(end)];
    if (await tryItems(without)) kept = without;
  }
  return kept;
}

/**
 * Finds by bisection the shortest end of the list with which the failure remains. Failures mostly
 * need the requests just before them, and a few tries save hundreds here.
 */
export async function keepShortestEnd<T>(
  items: readonly T[],
  tryItems: TryItems<T>,
): Promise<void> {
  let tooShort = 0;
  let longEnough = items.length;
  while (longEnough - tooShort > Math.max(1, longEnough >> 3)) {
    const length = (tooShort + longEnough) >> 1;
    if (await tryItems(items.slice(items.length - length))) longEnough = length;
    else tooShort = length;
  }
}
