// One TCP connection: two directions of ordered segments between a client's socket and a server's
// end. Order holds per direction and connection only, so bytes of a closed connection may arrive
// after those of the next one: the zombie execution that real stores know.
//
// Left out: windows and back-pressure, acknowledgements, and the retransmission timeout of an
// established connection (about fifteen minutes on Linux).

import { KernelEvent } from '../kernel/event.ts';
import { type Cause, definePurpose, type Host, type Kernel } from '../kernel/kernel.ts';
import type { Link } from './link.ts';

/** What a network adds to a direction: its latency, and a record of what is open. */
export interface Wire {
  readonly kernel: Kernel;
  /** Draws how long a message takes, microseconds. */
  drawLatencyUs(link: Link, cause: Cause): number;
  /** On whose behalf a client writes these bytes. */
  causeOfWrite(link: Link, chunk: string): Cause;
  forget(connection: Connection): void;
}

/** What one side of a connection is told. */
export interface Endpoint {
  receive(segment: SegmentKind, chunk: string): void;
}

/**
 * `syn` and `ack` open a connection and `refused` answers a `syn` that finds no listener; `fin` ends
 * the bytes of one direction, `rst` ends the connection.
 */
export type SegmentKind = 'syn' | 'ack' | 'refused' | 'data' | 'fin' | 'rst';

const PIECE_GAP = definePurpose('network.piece-gap');
const PIECE_GAP_MAX_US = 20;

export class Connection {
  readonly wire: Wire;
  readonly client: Host;
  readonly server: Host;
  readonly port: number;
  /** Client to server, and back. */
  readonly up: Direction;
  readonly down: Direction;
  /** Everything vanishes: a black hole made the network forget this connection, for good. */
  isHung = false;
  clientEnd: Endpoint | undefined;
  serverEnd: Endpoint | undefined;

  constructor(wire: Wire, links: { readonly up: Link; readonly down: Link }, port: number) {
    this.wire = wire;
    this.client = links.up.from;
    this.server = links.up.to;
    this.port = port;
    this.up = new Direction(this, links.up);
    this.down = new Direction(this, links.down);
  }

  /** Bytes in flight are lost both ways; what is sent later still travels. */
  dropInFlight(): void {
    this.up.dropInFlight();
    this.down.dropInFlight();
  }

  forgetWhenClosed(): void {
    if (this.clientEnd === undefined && this.serverEnd === undefined) this.wire.forget(this);
  }
}

export class Direction {
  readonly connection: Connection;
  readonly link: Link;
  /** Ordinals of the next segment to send and to deliver. */
  #next = 0;
  #expected = 0;
  #lastArrivalUs = 0;
  #isBlocked = false;
  /** Segments that came too early, or to a closed link, by ordinal. */
  #waiting: Map<number, Segment> | undefined;

  constructor(connection: Connection, link: Link) {
    this.connection = connection;
    this.link = link;
  }

  /** Whether something was sent that has not been delivered. */
  get hasInFlight(): boolean {
    return this.#expected < this.#next;
  }

  send(cause: Cause, kind: SegmentKind, chunk: string): void {
    const { pieces } = this.link;
    if (pieces.length === 0 || kind !== 'data') this.#transmit(cause, kind, chunk, 0);
    else this.#sendPieces(cause, chunk);
  }

  /** Sends again what waits, after the link has healed. */
  retransmit(): void {
    if (this.#waiting === undefined) return;
    const { wire } = this.connection;
    for (const segment of this.#waiting.values()) {
      const latencyUs = wire.drawLatencyUs(this.link, segment.cause);
      wire.kernel.enqueue(segment, wire.kernel.nowUs + latencyUs);
    }
  }

  /** What arrives waits until `unblock`: nobody is there to take it yet. */
  block(): void {
    this.#isBlocked = true;
  }

  unblock(): void {
    this.#isBlocked = false;
    this.#wakeNext(this.#expected - 1);
  }

  dropInFlight(): void {
    this.#expected = this.#next;
    this.#waiting = undefined;
  }

  /** A segment reaches the other side; it is delivered in its turn. */
  arrive(segment: Segment): void {
    const { connection, link } = this;
    if (segment.ordinal < this.#expected) return;
    if (connection.isHung || link.blackHoles > 0) {
      connection.isHung = true;
      return;
    }
    if (this.#isBlocked || link.holds > 0 || segment.ordinal !== this.#expected) {
      this.#waiting ??= new Map();
      this.#waiting.set(segment.ordinal, segment);
      return;
    }
    this.#expected += 1;
    if (this.#waiting !== undefined) this.#wakeNext(segment.ordinal);
    const end = this === connection.up ? connection.serverEnd : connection.clientEnd;
    if (end !== undefined) end.receive(segment.kind, segment.chunk);
    else if (segment.kind === 'data') this.#answerClosed(segment.cause);
  }

  /** Bytes for a socket that was closed: the machine answers with a reset. */
  #answerClosed(cause: Cause): void {
    const { up, down } = this.connection;
    const back = this === up ? down : up;
    back.send(cause, 'rst', '');
  }

  #wakeNext(delivered: number): void {
    const waiting = this.#waiting;
    if (waiting === undefined) return;
    waiting.delete(delivered);
    const next = waiting.get(delivered + 1);
    const { kernel } = this.connection.wire;
    if (next !== undefined) kernel.enqueue(next, kernel.nowUs);
    if (waiting.size === 0) this.#waiting = undefined;
  }

  #transmit(cause: Cause, kind: SegmentKind, chunk: string, extraUs: number): void {
    const { wire, client, server } = this.connection;
    const { kernel } = wire;
    const latencyUs = wire.drawLatencyUs(this.link, cause) + extraUs;
    // Whether a connection may open is answered by the machine, be its process paused or gone.
    const to = kind === 'syn' ? kernel.world : this === this.connection.up ? server : client;
    const arrivalUs = Math.max(kernel.nowUs + latencyUs, this.#lastArrivalUs);
    this.#lastArrivalUs = arrivalUs;
    kernel.enqueue(new Segment(to, cause, this, this.#next, kind, chunk), arrivalUs);
    this.#next += 1;
  }

  #sendPieces(cause: Cause, chunk: string): void {
    const bytes = this.link.pieceBytes;
    const { kernel } = this.connection.wire;
    let gapUs = 0;
    for (let at = 0; at < chunk.length; at += bytes) {
      this.#transmit(cause, 'data', chunk.slice(at, at + bytes), gapUs);
      gapUs = 1 + Math.floor(kernel.drawFor(cause, PIECE_GAP) * PIECE_GAP_MAX_US);
    }
  }
}

class Segment extends KernelEvent {
  declare readonly direction: Direction;
  declare readonly ordinal: number;
  declare readonly kind: SegmentKind;
  declare readonly chunk: string;

  constructor(
    to: Host,
    cause: Cause,
    direction: Direction,
    ordinal: number,
    kind: SegmentKind,
    chunk: string,
  ) {
    super(to, cause);
    this.direction = direction;
    this.ordinal = ordinal;
    this.kind = kind;
    this.chunk = chunk;
  }

  override fire(): void {
    this.direction.arrive(this);
  }
}
