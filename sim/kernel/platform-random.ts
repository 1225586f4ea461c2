// Wrappers over the platform's randomness. In a run every draw is keyed by the cause on whose behalf
// the code runs. Left out: the generation of keys and primes, which is an escape.

import crypto from 'node:crypto';
import { definePurpose } from './cause.ts';
import type { Kernel } from './kernel.ts';
import { registry } from './registry.ts';
import { type AnyFunction, defineValue, isFunction, replace, type Wrapper } from './replace.ts';
import { Immediate } from './timers.ts';

const MATH_RANDOM = definePurpose('platform.math-random');
const CRYPTO = definePurpose('platform.crypto');

export function installRandom(): void {
  const { mathRandom } = registry.real;
  defineValue(Math, 'random', function random(): number {
    const kernel = registry.active;
    return kernel === undefined ? mathRandom() : kernel.draw(MATH_RANDOM);
  });
  replace(crypto, 'randomBytes', wrapRandomBytes);
  replace(crypto, 'pseudoRandomBytes', wrapRandomBytes);
  replace(crypto, 'randomFillSync', wrapFillSync);
  replace(crypto, 'randomFill', wrapFill);
  replace(crypto, 'randomInt', wrapRandomInt);
  replace(crypto, 'randomUUID', wrapUuid);
  // crypto.getRandomValues leads to the web crypto object.
  const webPrototype: object = Object.getPrototypeOf(crypto.webcrypto);
  replace(webPrototype, 'getRandomValues', wrapValues);
  replace(webPrototype, 'randomUUID', wrapUuid);
}

function drawBytes(kernel: Kernel, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  fill(kernel, bytes);
  return bytes;
}

function fill(kernel: Kernel, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at += 4) {
    const bits = kernel.drawBits(CRYPTO);
    for (let byte = 0; byte < 4 && at + byte < bytes.length; byte += 1) {
      bytes[at + byte] = bits >>> (byte * 8);
    }
  }
}

/** Answers a callback as Node does: in a later event. */
function answer(kernel: Kernel, callback: AnyFunction, value: unknown): void {
  new Immediate(kernel.host, kernel.cause, callback, [null, value]);
}

function wrapRandomBytes(original: AnyFunction): Wrapper {
  return function randomBytes(this: unknown, size: unknown, callback?: unknown) {
    const kernel = registry.active;
    if (kernel === undefined || typeof size !== 'number' || !(size >= 0)) {
      return original.call(this, size, callback);
    }
    const bytes = drawBytes(kernel, size);
    if (!isFunction(callback)) return bytes;
    answer(kernel, callback, bytes);
    return undefined;
  };
}

function fillView(kernel: Kernel, target: unknown, offset = 0, size?: number): void {
  const view = ArrayBuffer.isView(target)
    ? new Uint8Array(target.buffer, target.byteOffset, target.byteLength)
    : target instanceof ArrayBuffer
      ? new Uint8Array(target)
      : undefined;
  if (view !== undefined) {
    const end = size === undefined ? view.length : offset + size;
    fill(kernel, view.subarray(offset, end));
  }
}

function toNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function wrapFillSync(original: AnyFunction): Wrapper {
  return function randomFillSync(this: unknown, target: unknown, offset: unknown, size: unknown) {
    const kernel = registry.active;
    if (kernel === undefined) return original.call(this, target, offset, size);
    fillView(kernel, target, toNumber(offset), toNumber(size));
    return target;
  };
}

function wrapFill(original: AnyFunction): Wrapper {
  return function randomFill(this: unknown, target: unknown, ...rest: unknown[]) {
    const kernel = registry.active;
    const callback = rest.at(-1);
    if (kernel === undefined || !isFunction(callback)) return original.call(this, target, ...rest);
    const [offset, size] = rest;
    fillView(kernel, target, toNumber(offset), toNumber(size));
    answer(kernel, callback, target);
    return undefined;
  };
}

function wrapRandomInt(original: AnyFunction): Wrapper {
  return function randomInt(this: unknown, ...values: unknown[]) {
    const kernel = registry.active;
    const numbers = values.filter((value) => typeof value === 'number');
    const [first = 0, second] = numbers;
    const [min, max] = second === undefined ? [0, first] : [first, second];
    if (kernel === undefined || !(max > min)) return original.call(this, ...values);
    const drawn = min + Math.floor(kernel.draw(CRYPTO) * (max - min));
    const callback = values.at(-1);
    if (!isFunction(callback)) return drawn;
    answer(kernel, callback, drawn);
    return undefined;
  };
}

function wrapUuid(original: AnyFunction): Wrapper {
  return function randomUUID(this: unknown, options?: unknown) {
    const kernel = registry.active;
    if (kernel === undefined) return original.call(this, options);
    const bytes = drawBytes(kernel, 16);
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
    const hex = bytes.toString('hex');
    const cuts = [0, 8, 12, 16, 20, 32];
    return cuts
      .slice(1)
      .map((end, index) => hex.slice(cuts[index], end))
      .join('-');
  };
}

function wrapValues(original: AnyFunction): Wrapper {
  return function getRandomValues(this: unknown, target: unknown) {
    const kernel = registry.active;
    if (kernel === undefined) return original.call(this, target);
    fillView(kernel, target);
    return target;
  };
}
