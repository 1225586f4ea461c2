// The simulated Redis as a process on a host: one thread that serves one command at a time, in the
// order in which they arrived, each for its service time. A command takes effect when its service
// starts and its reply leaves when it ends, so a hot key queues as it does in life.
//
// Everything a command does happens under the cause of the message that carried it. Commands that
// have arrived are run even if their connection has closed since. A crash drops the queue, a pause
// keeps it.

import type { Cause, Host, Kernel } from '../kernel/kernel.ts';
import type { ServerConnection } from '../network/network.ts';
import { ClientConnection } from './client-connection.ts';
import { noReply, type Reply } from './reply.ts';
import type { Session } from './session.ts';
import type { Store } from './store.ts';

/** How long a script runs before others are answered BUSY (`busy-reply-threshold`), microseconds. */
const busyAfterUs = 5_000_000;

export interface RedisServerOptions {
  readonly host: Host;
  readonly kernel: Kernel;
  readonly store: Store;
  /** How long the thread is busy with a command, by its name in lower case; whole microseconds. */
  readonly serviceUs: (command: string) => number;
}

/** Something to do on the thread, in its turn. */
export interface Job {
  readonly session: Session;
  readonly cause: Cause;
  /** A request; or a function for what takes no time, such as closing a connection. */
  readonly work: readonly string[] | (() => void);
  readonly reply: (reply: Reply) => void;
}

export class RedisServer {
  readonly kernel: Kernel;
  readonly store: Store;
  readonly #host: Host;
  readonly #serviceUs: (command: string) => number;
  #queue: Job[] = [];
  #head = 0;
  #isServing = false;
  #isRunning = false;
  /** What is being served, and what it will be answered. */
  #served: Job | undefined;
  #outcome: Reply = noReply;
  /** The job whose script does not end, and those of its connection, which have to wait for it. */
  #endless: Job | undefined;
  #held: Job[] = [];

  constructor(options: RedisServerOptions) {
    this.kernel = options.kernel;
    this.store = options.store;
    this.#host = options.host;
    this.#serviceUs = options.serviceUs;
    this.store.onScriptKilled = (session, reply) => this.#release(session, reply);
    this.#host.onCrash(() => this.stop());
  }

  /** The process has started; it has no connections and no scripts. */
  start(): void {
    this.#isRunning = true;
  }

  /** The process has ended: its queue, its sessions and its scripts are gone. */
  stop(): void {
    if (!this.#isRunning) return;
    this.#isRunning = false;
    this.#queue = [];
    this.#head = 0;
    this.#isServing = false;
    this.#served = undefined;
    this.#outcome = noReply;
    this.#endless = undefined;
    this.#held = [];
    this.store.restart();
  }

  /** Serves a connection over RESP. */
  accept(connection: ServerConnection): void {
    new ClientConnection(connection, this).start();
  }

  /** Serves one request without RESP: the same queue and the same service time. */
  request(session: Session, args: readonly string[], reply: (reply: Reply) => void): void {
    this.enqueue({ session, cause: this.kernel.cause, work: args, reply });
  }

  /** Requests waiting for the thread, the one being served not counted. */
  get backlog(): number {
    return this.#queue.length - this.#head;
  }

  enqueue(job: Job): void {
    if (!this.#isRunning) return;
    if (this.#isServing) {
      this.#queue.push(job);
      return;
    }
    // Nothing waits when nothing is served.
    this.#isServing = true;
    if (!this.#start(job)) this.#serve();
  }

  /** Serves what waits, until something takes time or nothing is left. */
  #serve(): void {
    for (let job = this.#take(); job !== undefined; job = this.#take()) {
      if (this.#start(job)) return;
    }
    this.#isServing = false;
  }

  #take(): Job | undefined {
    const job = this.#queue[this.#head];
    if (job === undefined) {
      if (this.#head > 0) this.#queue = [];
      this.#head = 0;
      return undefined;
    }
    this.#head += 1;
    if (this.#head === compactAfter) {
      this.#queue.splice(0, this.#head);
      this.#head = 0;
    }
    return job;
  }

  /** True: the thread is busy with it now. */
  #start(job: Job): boolean {
    const { kernel, store } = this;
    const { session, work } = job;
    if (session === store.busySession) {
      this.#held.push(job);
      return false;
    }
    kernel.cause = job.cause;
    if (typeof work === 'function') {
      work();
      return false;
    }
    // Nothing is read after a goodbye.
    if (session.isClosing) return false;
    const reply = this.#execute(session, work);
    if (reply === noReply) this.#endless = job;
    const serviceUs =
      this.#serviceUs((work[0] ?? '').toLowerCase()) + (reply === noReply ? busyAfterUs : 0);
    if (serviceUs === 0) {
      job.reply(reply);
      return false;
    }
    this.#served = job;
    this.#outcome = reply;
    kernel.schedule(serviceUs, this.#host, job.cause, this.#finish);
    return true;
  }

  /** The service time of the one command being served is over. */
  readonly #finish = (): void => {
    const { reply } = this.#served ?? {};
    if (this.#outcome !== noReply) reply?.(this.#outcome);
    this.#serve();
  };

  /** The store never throws on a client's account: what it throws is the harness's own failure. */
  #execute(session: Session, args: readonly string[]): Reply {
    try {
      return this.store.execute(session, args);
    } catch (error) {
      this.kernel.fault ??= error instanceof Error ? error : new Error(String(error));
      return noReply;
    }
  }

  /** SCRIPT KILL has ended the endless script: its caller hears of it and its connection goes on. */
  #release(session: Session, reply: Reply): void {
    const job = this.#endless;
    if (job === undefined || job.session !== session) return;
    this.#endless = undefined;
    const { kernel } = this;
    const { cause } = kernel;
    kernel.cause = job.cause;
    job.reply(reply);
    kernel.cause = cause;
    this.#queue.splice(this.#head, 0, ...this.#held);
    this.#held = [];
  }
}

/** Served jobs are cleared from the front of a long queue this many at a time. */
const compactAfter = 1024;
