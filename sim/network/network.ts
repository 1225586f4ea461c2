// The network of one run: who listens where, how long messages take, and the faults that befall
// them. Latency is drawn per message under its cause, so removing one message moves no other.
//
// Faults are verbs that return how to heal them. They may overlap; each heals only itself.

import { type Cause, definePurpose, type Host, type Kernel } from '../kernel/kernel.ts';
import {
  type ConnectTarget,
  createNotFoundError,
  type SimulatedNetwork,
} from '../kernel/simulated-network.ts';
import { addressOf } from './address.ts';
import { ClientSocket } from './client-socket.ts';
import { Connection, type Direction, type Wire } from './connection.ts';
import { type Link, type LinkLatency, Links } from './link.ts';
import { Message, type MessageOrder } from './message.ts';
import { type ServerConnection, ServerEnd } from './server-end.ts';
import { createInUseError, createResetError } from './socket-errors.ts';

export { addressOf } from './address.ts';
export type { LinkLatency } from './link.ts';
export type { MessageOrder } from './message.ts';
export type { ServerConnection } from './server-end.ts';

export interface NetworkOptions {
  /** Asked once for each direction between two hosts. */
  readonly latency: (from: Host, to: Host) => LinkLatency;
}

type Accept = (connection: ServerConnection) => void;
type Heal = () => void;

const LATENCY = definePurpose('network.latency');
/** First port of the range Linux gives to clients. */
const FIRST_CLIENT_PORT = 32_768;
const CLIENT_PORTS = 28_232;

export class Network implements SimulatedNetwork, Wire {
  readonly kernel: Kernel;
  /** Says to which operation a client's write belongs; default: the kernel's current cause. */
  onWrite: ((from: Host, to: Host, chunk: string) => Cause) | undefined;

  readonly #latency: NetworkOptions['latency'];
  readonly #links = new Links();
  readonly #listeners = new Map<string, Accept>();
  readonly #connections = new Set<Connection>();
  readonly #refusals = new Map<Host, number>();
  readonly #watched = new Set<Host>();
  #heldMessages: Message[] = [];
  #connects = 0;

  constructor(kernel: Kernel, options: NetworkOptions) {
    this.kernel = kernel;
    this.#latency = options.latency;
    kernel.network = this;
  }

  /** Accepts connections to a port of a host until its process ends. */
  listen(host: Host, port: number, accept: Accept): void {
    const key = `${host.index}:${port}`;
    if (this.#listeners.has(key)) throw createInUseError(addressOf(host), port);
    this.#watch(host);
    this.#listeners.set(key, accept);
  }

  /**
   * Sends a message; `deliver` runs as an event of `to` under the current cause, or never. Messages
   * that share an `order` arrive in the order in which they were sent, as on one connection.
   */
  send(from: Host, to: Host, deliver: () => void, order?: MessageOrder): void {
    if (from.liveIncarnation === 0) return;
    const { cause } = this.kernel;
    const link = this.#links.get(from, to);
    this.#dispatch(new Message(link, cause, deliver, this.#hold, order));
  }

  /**
   * Cuts two hosts off: what travels between them is held, and arrives after healing, as TCP would
   * send it again. `forward` holds only what travels from `a` to `b`.
   */
  partition(a: Host, b: Host, direction: 'both' | 'forward'): Heal {
    const links = direction === 'both' ? this.#links.both(a, b) : [this.#links.get(a, b)];
    for (const link of links) link.holds += 1;
    return once(() => {
      for (const link of links) {
        link.holds -= 1;
        if (link.holds === 0) this.#retransmit(link);
      }
    });
  }

  /** What travels between two hosts is lost; their connections stay hung also after healing. */
  blackHole(a: Host, b: Host): Heal {
    const links = this.#links.both(a, b);
    for (const link of links) link.blackHoles += 1;
    for (const connection of this.#between(a, b)) connection.isHung = true;
    return once(() => {
      for (const link of links) link.blackHoles -= 1;
    });
  }

  /** Resets every connection between two hosts at once; bytes in flight are lost. */
  resetConnections(a: Host, b: Host): void {
    for (const connection of this.#between(a, b)) {
      connection.dropInFlight();
      this.#cut(connection);
    }
  }

  /** New connections to a host are refused. */
  refuse(host: Host): Heal {
    this.#refusals.set(host, (this.#refusals.get(host) ?? 0) + 1);
    return once(() => this.#refusals.set(host, (this.#refusals.get(host) ?? 1) - 1));
  }

  /** Bytes between two hosts arrive in pieces of at most `bytes`. */
  fragment(a: Host, b: Host, bytes: number): Heal {
    const links = this.#links.both(a, b);
    for (const { pieces } of links) pieces.push(bytes);
    return once(() => {
      for (const { pieces } of links) pieces.splice(pieces.indexOf(bytes), 1);
    });
  }

  /** Every message between two hosts takes `extraUs` longer, each way. */
  slow(a: Host, b: Host, extraUs: number): Heal {
    const links = this.#links.both(a, b);
    for (const link of links) link.extraUs += extraUs;
    return once(() => {
      for (const link of links) link.extraUs -= extraUs;
    });
  }

  connect(target: ConnectTarget): ClientSocket {
    const { kernel } = this;
    const from = kernel.host;
    const to = this.#findTarget(target.host);
    this.#watch(from);
    this.#connects += 1;
    const address = {
      localAddress: addressOf(from),
      localPort: FIRST_CLIENT_PORT + (this.#connects % CLIENT_PORTS),
      remoteAddress: to === undefined ? '' : addressOf(to),
      remotePort: target.port,
      localFamily: 'IPv4',
      remoteFamily: 'IPv4',
    } as const;
    const socket = new ClientSocket(kernel, address, { allowHalfOpen: target.allowHalfOpen });
    if (to === undefined) {
      const error = createNotFoundError(target.host);
      kernel.schedule(0, from, kernel.cause, () => socket.fail(error));
      return socket;
    }
    const links = { up: this.#links.get(from, to), down: this.#links.get(to, from) };
    const connection = new Connection(this, links, target.port);
    connection.serverEnd = { receive: () => this.#answer(connection) };
    this.#connections.add(connection);
    socket.open(connection);
    return socket;
  }

  resolve(name: string): string | undefined {
    const host = this.#findTarget(name);
    return host === undefined ? undefined : addressOf(host);
  }

  drawLatencyUs(link: Link, cause: Cause): number {
    link.latency ??= this.#latency(link.from, link.to);
    const { minUs, tailUs } = link.latency;
    const tail = tailUs > 0 ? this.kernel.drawExponentialFor(cause, LATENCY, tailUs) : 0;
    return Math.round(minUs + tail) + link.extraUs;
  }

  causeOfWrite(link: Link, chunk: string): Cause {
    return this.onWrite?.(link.from, link.to, chunk) ?? this.kernel.cause;
  }

  forget(connection: Connection): void {
    this.#connections.delete(connection);
  }

  /** A request to connect has reached the machine: its kernel answers, also for a paused process. */
  #answer(connection: Connection): void {
    const { cause } = this.kernel;
    const { server, port } = connection;
    const accept = this.#listeners.get(`${server.index}:${port}`);
    if (accept === undefined || (this.#refusals.get(server) ?? 0) > 0) {
      connection.serverEnd = undefined;
      connection.down.send(cause, 'refused', '');
      return;
    }
    const end = new ServerEnd(connection);
    connection.serverEnd = end;
    connection.up.block();
    this.kernel.schedule(0, server, cause, () => {
      connection.up.unblock();
      accept(end);
    });
    connection.down.send(cause, 'ack', '');
  }

  #cut(connection: Connection): void {
    const { clientEnd, serverEnd, client, server } = connection;
    const { cause } = this.kernel;
    if (clientEnd instanceof ClientSocket) {
      this.kernel.schedule(0, client, cause, () => clientEnd.fail(createResetError()));
    }
    if (serverEnd instanceof ServerEnd) {
      this.kernel.schedule(0, server, cause, () => serverEnd.receive('rst', ''));
    } else {
      // The request to connect was still on its way.
      connection.serverEnd = undefined;
    }
  }

  /** A process that ends has its sockets closed by the machine. */
  #watch(host: Host): void {
    if (this.#watched.has(host)) return;
    this.#watched.add(host);
    host.onCrash(() => {
      for (const key of this.#listeners.keys()) {
        if (key.startsWith(`${host.index}:`)) this.#listeners.delete(key);
      }
      for (const connection of this.#connections) {
        if (connection.client === host)
          this.#abandon(connection.clientEnd, connection.up, connection.down);
        if (connection.server === host)
          this.#abandon(connection.serverEnd, connection.down, connection.up);
      }
    });
  }

  /** Closed with bytes unread it is a reset, otherwise an ordinary end. */
  #abandon(end: unknown, out: Direction, back: Direction): void {
    if (end instanceof ClientSocket || end instanceof ServerEnd) {
      end.abandon();
      out.send(this.kernel.cause, back.hasInFlight ? 'rst' : 'fin', '');
    }
  }

  #dispatch(message: Message): void {
    const { order } = message;
    let arrivalUs = this.kernel.nowUs + this.drawLatencyUs(message.link, message.cause);
    if (order !== undefined) {
      arrivalUs = Math.max(arrivalUs, order.lastArrivalUs);
      order.lastArrivalUs = arrivalUs;
    }
    this.kernel.enqueue(message, arrivalUs);
  }

  readonly #hold = (message: Message): void => {
    this.#heldMessages.push(message);
  };

  #retransmit(link: Link): void {
    for (const { up, down } of this.#connections) {
      if (up.link === link) up.retransmit();
      if (down.link === link) down.retransmit();
    }
    const held = this.#heldMessages;
    this.#heldMessages = held.filter((message) => message.link !== link);
    for (const message of held) if (message.link === link) this.#dispatch(message);
  }

  #between(a: Host, b: Host): Connection[] {
    return [...this.#connections].filter(
      ({ client, server }) => (client === a && server === b) || (client === b && server === a),
    );
  }

  #findTarget(name: string): Host | undefined {
    const { kernel } = this;
    if (name === 'localhost' || name === '127.0.0.1') return kernel.host;
    return kernel.hosts.find((host) => host.name === name || addressOf(host) === name);
  }
}

/** Healing twice heals once. */
function once(heal: () => void): Heal {
  let isHealed = false;
  return () => {
    if (isHealed) return;
    isHealed = true;
    heal();
  };
}
