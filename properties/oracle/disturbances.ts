// What could keep a replica from its store, and until when. An answer "the store is unavailable" is
// judged by this: it is right while something is wrong, and wrong when nothing is. Also what stretches
// a replica's deadline: pauses, and clocks that run slow.
//
// Faults that leave the way to the store alone (a wall clock that jumps, forgotten scripts, a link
// between a gateway and a replica) disturb nothing here, so that they must not show in any answer.

import type { HistoryEventOf } from '../../sim/run/history.ts';
import type { Fault } from '../../sim/scenario/scenario.ts';

const STORE = 'redis';

interface Trouble {
  /** How many faults act at present. */
  active: number;
  /** When the last one ended or struck. */
  lastUs: number;
}

export interface HostRecord {
  readonly name: string;
  readonly trouble: Trouble;
  /** Counts the process's lives: a check of an earlier life has vanished. */
  life: number;
  isUp: boolean;
  pauseBeginUs: number;
  pauseEndUs: number;
  /** The slowest and the fastest its clocks ever ran, in parts per million. */
  slowestPpm: number;
  fastestPpm: number;
  /**
   * Its connection may be dead without a sign: bytes have vanished, and it has asked nothing since.
   * Only a check that gets no answer can find out.
   */
  isSuspect: boolean;
  /** A blow that waits for this host's next script. */
  isArmed: boolean;
  /** When a check begun after the last trouble had first been answered by the store. */
  answeredUs: number | undefined;
}

/** A check that has settled, on a host. */
interface SettledCheck {
  readonly host: HostRecord | undefined;
  readonly startedUs: number;
  readonly settledUs: number;
}

export class Disturbances {
  readonly #hosts = new Map<string, HostRecord>();
  readonly #store: Trouble = { active: 0, lastUs: 0 };

  host(name: string): HostRecord {
    let host = this.#hosts.get(name);
    if (host === undefined) {
      host = createHostRecord(name);
      this.#hosts.set(name, host);
    }
    return host;
  }

  /** When the way between this host and the store last had trouble; `Infinity` while it has. */
  troubledUntilUs(host: HostRecord): number {
    const isActive = this.#store.active > 0 || host.trouble.active > 0;
    if (isActive || host.isSuspect || !host.isUp) {
      return Number.POSITIVE_INFINITY;
    }
    return Math.max(this.#store.lastUs, host.trouble.lastUs);
  }

  followFault({ fault, phase, atUs }: HistoryEventOf<'fault'>): void {
    this.#followClocks(fault, atUs);
    const trouble = this.#troubleOf(fault);
    if (trouble === undefined) return;
    trouble.lastUs = atUs;
    if ('durationMs' in fault) trouble.active += phase === 'begin' ? 1 : -1;
    if (fault.kind === 'black-hole' && phase === 'begin') this.#suspect(fault);
    if (fault.kind === 'reply-lost' || fault.kind === 'reset-mid-script') {
      this.host(fault.host).isArmed = true;
    }
  }

  followHost({ host: name, state, atUs }: HistoryEventOf<'host'>): void {
    const host = this.host(name);
    if (state === 'down') host.life += 1;
    host.isUp = state === 'up';
    host.isSuspect = false;
    host.trouble.lastUs = atUs;
    host.answeredUs = undefined;
    if (name === STORE) this.#store.lastUs = atUs;
  }

  /** A script of this host ran: a blow that waited for it strikes. */
  followScript(host: HostRecord, atUs: number): void {
    if (!host.isArmed) return;
    host.isArmed = false;
    host.trouble.lastUs = atUs;
  }

  /** A check has settled: what that says about its host's way to the store. */
  followSettlement(check: SettledCheck, isAnswered: boolean): void {
    const { host, startedUs, settledUs } = check;
    if (host === undefined) return;
    if (host.isSuspect) {
      host.isSuspect = host.trouble.lastUs >= startedUs;
      if (!isAnswered && !host.isSuspect) host.trouble.lastUs = settledUs;
    }
    if (!isAnswered) return;
    const troubledUs = this.troubledUntilUs(host);
    const wasAnswered = host.answeredUs !== undefined && host.answeredUs > troubledUs;
    if (!wasAnswered && startedUs > troubledUs) host.answeredUs = settledUs;
  }

  #followClocks(fault: Fault, atUs: number): void {
    if (fault.kind === 'clock-drift') {
      const host = this.host(fault.host);
      host.slowestPpm = Math.min(host.slowestPpm, fault.ppm);
      host.fastestPpm = Math.max(host.fastestPpm, fault.ppm);
    }
    if (fault.kind === 'pause' && atUs === fault.atMs * 1000) {
      const host = this.host(fault.host);
      const endUs = atUs + fault.durationMs * 1000;
      if (atUs > host.pauseEndUs) host.pauseBeginUs = atUs;
      host.pauseEndUs = Math.max(host.pauseEndUs, endUs);
    }
  }

  #suspect({ from, to }: { readonly from: string; readonly to: string }): void {
    if (from === STORE || to === STORE) this.host(from === STORE ? to : from).isSuspect = true;
  }

  /** Whom a fault keeps from the store: one replica, all of them, or nobody. */
  #troubleOf(fault: Fault): Trouble | undefined {
    switch (fault.kind) {
      case 'partition':
      case 'black-hole':
      case 'reset':
      case 'fragmentation':
      case 'slow-link':
        if (fault.from === STORE) return this.host(fault.to).trouble;
        return fault.to === STORE ? this.host(fault.from).trouble : undefined;
      case 'reply-lost':
      case 'reset-mid-script':
        return this.host(fault.host).trouble;
      case 'crash':
      case 'pause':
        return fault.host === STORE ? this.#store : this.host(fault.host).trouble;
      case 'refuse-connections':
      case 'store-restart':
      case 'policy-change':
        return this.#store;
      case 'script-flush':
      case 'clock-step':
      case 'clock-drift':
        return undefined;
    }
  }
}

function createHostRecord(name: string): HostRecord {
  return {
    name,
    trouble: { active: 0, lastUs: 0 },
    life: 0,
    isUp: true,
    pauseBeginUs: -1,
    pauseEndUs: -1,
    slowestPpm: 0,
    fastestPpm: 0,
    isSuspect: false,
    isArmed: false,
    answeredUs: undefined,
  };
}
