// Brings each history event to the checkers that asked for its kind, and to no others.

import type { HistoryEvent } from './history.ts';
import type { Handlers } from './invariant.ts';

type AnyHandler = (event: HistoryEvent) => void;

export class Dispatcher {
  readonly #byKind = new Map<HistoryEvent['kind'], AnyHandler[]>();

  constructor(checkers: readonly Handlers[]) {
    for (const handlers of checkers) {
      for (const [kind, handler] of Object.entries(handlers)) this.#add(kind, handler);
    }
  }

  dispatch(event: HistoryEvent): void {
    const handlers = this.#byKind.get(event.kind);
    if (handlers === undefined) return;
    for (const handler of handlers) handler(event);
  }

  #add(kind: string, handler: unknown): void {
    // The type `Handlers` ties each key to the events of that kind; the map forgets the tie.
    const key = kind as HistoryEvent['kind'];
    const list = this.#byKind.get(key) ?? [];
    list.push(handler as AnyHandler);
    this.#byKind.set(key, list);
  }
}
