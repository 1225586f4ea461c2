// Wrappers over what leads out of the process: sockets and names go to the simulated network; files
// and processes are escapes. The one file a client may read in a run is ioredis's own package.json,
// which ioredis 5 reads with fs.promises on connecting.

import childProcess from 'node:child_process';
import crypto from 'node:crypto';
import dns from 'node:dns';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import tls from 'node:tls';
import zlib from 'node:zlib';
import { reportEscape } from './escape.ts';
import type { Kernel } from './kernel.ts';
import { registry } from './registry.ts';
import { type AnyFunction, isFunction, replace, type Wrapper } from './replace.ts';
import {
  type ConnectTarget,
  createNotFoundError,
  type SimulatedNetwork,
} from './simulated-network.ts';
import { Immediate } from './timers.ts';

const CLIENT_PACKAGE = /[\\/]ioredis\d*[\\/]package\.json$/;

export function installNet(): void {
  replace(net, 'connect', wrapConnect);
  replace(net, 'createConnection', wrapConnect);
  replace(http.Agent.prototype, 'createConnection', wrapConnect);
  replace(net.Socket.prototype, 'connect', refuse('net.Socket.prototype.connect'));
  replace(tls, 'connect', refuse('tls.connect'));
  replace(dns, 'lookup', wrapLookup);
  replace(dns.promises, 'lookup', wrapLookupPromise);
  replace(fs.promises, 'readFile', wrapReadFile);
  installSyncEscapes();
}

/** Reports what the async hook cannot see, and then lets it happen. */
function installSyncEscapes(): void {
  for (const module of [fs, childProcess]) {
    for (const name of Object.keys(module)) {
      if (name.endsWith('Sync')) replace(module, name, report(name));
    }
  }
  for (const name of Object.keys(crypto)) {
    if (name.startsWith('generate')) replace(crypto, name, report(`crypto.${name}`));
  }
  for (const name of Object.keys(zlib)) if (name.endsWith('Sync')) replace(zlib, name, permit);
  replace(Atomics, 'wait', report('Atomics.wait'));
}

/** What uses an asynchronous resource synchronously, and so the same in every run. */
function permit(original: AnyFunction): Wrapper {
  return function (this: unknown, ...values: unknown[]) {
    registry.exempt += 1;
    try {
      return original.apply(this, values);
    } finally {
      registry.exempt -= 1;
    }
  };
}

function report(what: string) {
  return (original: AnyFunction): Wrapper =>
    function (this: unknown, ...values: unknown[]) {
      if (registry.active !== undefined) reportEscape(what);
      return original.apply(this, values);
    };
}

/** Reports an escape and does nothing: a real connection must not even be begun. */
function refuse(what: string) {
  return (original: AnyFunction): Wrapper =>
    function (this: unknown, ...values: unknown[]) {
      if (registry.active === undefined) return original.apply(this, values);
      reportEscape(what);
      return this;
    };
}

function wrapConnect(original: AnyFunction): Wrapper {
  return function connect(this: unknown, ...values: unknown[]) {
    const network = registry.active?.network;
    const target = parseTarget(values);
    if (network === undefined || target === undefined) return original.apply(this, values);
    const socket = network.connect(target);
    const callback = values.find(isFunction);
    if (callback !== undefined) socket.once('connect', callback);
    if (target.timeoutMs !== undefined) socket.setTimeout(target.timeoutMs);
    return socket;
  };
}

interface ParsedTarget extends ConnectTarget {
  readonly timeoutMs: number | undefined;
}

/** The forms `(port, host?)` and `({ port, host })`; undefined for a path or anything else. */
function parseTarget(values: readonly unknown[]): ParsedTarget | undefined {
  const [first, second] = values;
  const options: object =
    typeof first === 'object' && first !== null ? first : { port: first, host: second };
  const port = Number(Reflect.get(options, 'port'));
  const host: unknown = Reflect.get(options, 'host');
  const timeout: unknown = Reflect.get(options, 'timeout');
  if (!Number.isInteger(port) || port < 0 || Reflect.get(options, 'path') != null) return undefined;
  return {
    host: typeof host === 'string' && host !== '' ? host : 'localhost',
    port,
    allowHalfOpen: Reflect.get(options, 'allowHalfOpen') === true,
    timeoutMs: typeof timeout === 'number' ? timeout : undefined,
  };
}

function wrapLookup(original: AnyFunction): Wrapper {
  return function lookup(this: unknown, name: unknown, ...rest: unknown[]) {
    const kernel = registry.active;
    const callback = rest.at(-1);
    if (kernel?.network === undefined || typeof name !== 'string' || !isFunction(callback)) {
      return original.call(this, name, ...rest);
    }
    const [options] = rest;
    const found = lookUp(kernel.network, name, options);
    const all = Array.isArray(found);
    const values =
      found instanceof Error ? [found] : all ? [null, found] : [null, found.address, 4];
    new Immediate(kernel.host, kernel.cause, callback, values);
    return {};
  };
}

function wrapLookupPromise(original: AnyFunction): Wrapper {
  return function lookup(this: unknown, name: unknown, options?: unknown) {
    const network = registry.active?.network;
    if (network === undefined || typeof name !== 'string') {
      return original.call(this, name, options);
    }
    const found = lookUp(network, name, options);
    return found instanceof Error ? Promise.reject(found) : Promise.resolve(found);
  };
}

type Found = Error | { address: string; family: number } | { address: string; family: number }[];

function lookUp(network: SimulatedNetwork, name: string, options: unknown): Found {
  const address = network.resolve(name);
  if (address === undefined) return createNotFoundError(name);
  const entry = { address, family: 4 };
  const wantsAll =
    typeof options === 'object' && options !== null && Reflect.get(options, 'all') === true;
  return wantsAll ? [entry] : entry;
}

function wrapReadFile(original: AnyFunction): Wrapper {
  return function readFile(this: unknown, path: unknown, ...rest: unknown[]) {
    const kernel: Kernel | undefined = registry.active;
    if (kernel === undefined || typeof path !== 'string' || !CLIENT_PACKAGE.test(path)) {
      return original.call(this, path, ...rest);
    }
    registry.exempt += 1;
    try {
      const bytes = fs.readFileSync(path);
      const [options] = rest;
      return Promise.resolve(options === undefined ? bytes : bytes.toString('utf8'));
    } finally {
      registry.exempt -= 1;
    }
  };
}
