// A sorted set: members with scores, ordered by score and then by the member's bytes.
//
// The order is one sorted array. Limiters append at the end and remove from the start, which costs a
// memmove there; a skip list would cost more for the sizes that occur (at most tens of thousands).

export interface ScoredMember {
  readonly member: string;
  readonly score: number;
}

/** An end of a range of scores. */
export interface ScoreBound {
  readonly score: number;
  readonly isExclusive: boolean;
}

/** An end of a range of members: text, or before or after everything. */
export interface MemberBound {
  readonly kind: 'text' | 'first' | 'last';
  readonly text: string;
  readonly isExclusive: boolean;
}

export class SortedSet {
  readonly #scores = new Map<string, number>();
  #order: ScoredMember[] = [];

  get size(): number {
    return this.#order.length;
  }

  scoreOf(member: string): number | undefined {
    return this.#scores.get(member);
  }

  /** All in ascending order. */
  items(): readonly ScoredMember[] {
    return this.#order;
  }

  set(member: string, given: number): void {
    // A small Redis set keeps whole scores as integers, which have no negative zero.
    const score = given === 0 ? 0 : given;
    const old = this.#scores.get(member);
    if (old === score) return;
    if (old !== undefined) this.#order.splice(this.#indexOf(member, old), 1);
    this.#scores.set(member, score);
    const last = this.#order[this.#order.length - 1];
    if (last === undefined || isBefore(last, score, member)) this.#order.push({ member, score });
    else this.#order.splice(this.#indexOf(member, score), 0, { member, score });
  }

  delete(member: string): boolean {
    const score = this.#scores.get(member);
    if (score === undefined) return false;
    this.#scores.delete(member);
    this.#order.splice(this.#indexOf(member, score), 1);
    return true;
  }

  /** Position from 0 in ascending order; undefined: not a member. */
  rankOf(member: string): number | undefined {
    const score = this.#scores.get(member);
    return score === undefined ? undefined : this.#indexOf(member, score);
  }

  /** Removes the positions from `start` up to but not including `end`. */
  removeBetween(start: number, end: number): number {
    const removed = this.#order.splice(start, Math.max(0, end - start));
    for (const item of removed) this.#scores.delete(item.member);
    return removed.length;
  }

  /** How many items lie below the bound; exclusive bounds of a minimum count as below too. */
  countBelowMin(bound: ScoreBound): number {
    return this.#search((item) =>
      bound.isExclusive ? item.score <= bound.score : item.score < bound.score,
    );
  }

  /** How many items lie at or below the bound of a maximum. */
  countUpToMax(bound: ScoreBound): number {
    return this.#search((item) =>
      bound.isExclusive ? item.score < bound.score : item.score <= bound.score,
    );
  }

  /** The same by members, for sets whose scores are all equal. */
  countBelowMinMember(bound: MemberBound): number {
    if (bound.kind !== 'text') return bound.kind === 'first' ? 0 : this.size;
    return this.#search((item) =>
      bound.isExclusive ? item.member <= bound.text : item.member < bound.text,
    );
  }

  countUpToMaxMember(bound: MemberBound): number {
    if (bound.kind !== 'text') return bound.kind === 'first' ? 0 : this.size;
    return this.#search((item) =>
      bound.isExclusive ? item.member < bound.text : item.member <= bound.text,
    );
  }

  clone(): SortedSet {
    const copy = new SortedSet();
    copy.#order = [...this.#order];
    for (const { member, score } of this.#order) copy.#scores.set(member, score);
    return copy;
  }

  #indexOf(member: string, score: number): number {
    return this.#search((item) => isBefore(item, score, member));
  }

  /** The first position whose item does not lie before what is sought. */
  #search(liesBefore: (item: ScoredMember) => boolean): number {
    let low = 0;
    let high = this.#order.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const item = this.#order[middle];
      if (item !== undefined && liesBefore(item)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function isBefore(item: ScoredMember, score: number, member: string): boolean {
  return item.score < score || (item.score === score && item.member < member);
}
