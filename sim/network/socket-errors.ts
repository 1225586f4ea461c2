// The errors Node's sockets report, with the texts and codes of Linux.

/** `connect ECONNREFUSED 10.0.0.1:6379`: nobody listens there. */
export function createRefusedError(address: string, port: number): Error {
  return createConnectError('ECONNREFUSED', -111, address, port);
}

/** `connect ETIMEDOUT 10.0.0.1:6379`: nobody answered for about two minutes. */
export function createConnectTimeoutError(address: string, port: number): Error {
  return createConnectError('ETIMEDOUT', -110, address, port);
}

/** `read ECONNRESET`: the other side, or someone between, cut the connection. */
export function createResetError(): Error {
  return Object.assign(new Error('read ECONNRESET'), {
    errno: -104,
    code: 'ECONNRESET',
    syscall: 'read',
  });
}

/** `listen EADDRINUSE: address already in use 10.0.0.1:6379`. */
export function createInUseError(address: string, port: number): Error {
  return Object.assign(new Error(`listen EADDRINUSE: address already in use ${address}:${port}`), {
    errno: -98,
    code: 'EADDRINUSE',
    syscall: 'listen',
    address,
    port,
  });
}

/** What a write learns when the socket is closed before it was ever connected. */
export function createClosedEarlyError(): Error {
  const error = new Error('Socket closed before the connection was established');
  return Object.assign(error, { code: 'ERR_SOCKET_CLOSED_BEFORE_CONNECTION' });
}

function createConnectError(code: string, errno: number, address: string, port: number): Error {
  return Object.assign(new Error(`connect ${code} ${address}:${port}`), {
    errno,
    code,
    syscall: 'connect',
    address,
    port,
  });
}
