// What the platform's wrappers need of a network. The kernel must not know how one works.

import type { Socket } from 'node:net';

export interface ConnectTarget {
  readonly host: string;
  readonly port: number;
  /** Whether the socket stays writable when the other side has ended. */
  readonly allowHalfOpen: boolean;
}

export interface SimulatedNetwork {
  /** A connecting socket of the current host, for `net.connect`. */
  connect(target: ConnectTarget): Socket;
  /** The address of a host by its name or address, for `dns.lookup`; undefined: no such host. */
  resolve(name: string): string | undefined;
}

/** `getaddrinfo ENOTFOUND name`: no such host. */
export function createNotFoundError(name: string): Error {
  return Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), {
    errno: -3008,
    code: 'ENOTFOUND',
    syscall: 'getaddrinfo',
    hostname: name,
  });
}
