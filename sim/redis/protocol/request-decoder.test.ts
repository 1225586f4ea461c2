import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProtocolError, RequestDecoder } from './request-decoder.ts';

function encode(args: readonly string[]): string {
  return `*${args.length}\r\n${args.map((arg) => `$${arg.length}\r\n${arg}\r\n`).join('')}`;
}

/** Everything the decoder makes of these pieces. */
function decode(pieces: readonly string[]): (readonly string[] | string)[] {
  const decoder = new RequestDecoder();
  const seen: (readonly string[] | string)[] = [];
  for (const piece of pieces) {
    decoder.push(piece);
    for (let next = decoder.next(); next !== undefined; next = decoder.next()) {
      seen.push(next instanceof ProtocolError ? next.message : next);
    }
  }
  return seen;
}

function cut(bytes: string, sizes: readonly number[]): string[] {
  const pieces: string[] = [];
  let at = 0;
  for (const size of sizes) {
    pieces.push(bytes.slice(at, at + size));
    at += size;
  }
  return [...pieces, bytes.slice(at)];
}

const latin1 = fc.string({
  unit: fc.integer({ min: 0, max: 255 }).map((c) => String.fromCharCode(c)),
});

describe('RequestDecoder', () => {
  it('reads the same requests however the bytes are cut', () => {
    const requests = fc.array(fc.array(latin1, { minLength: 1, maxLength: 5 }), { maxLength: 5 });
    const sizes = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 60 });
    fc.assert(
      fc.property(requests, sizes, (wanted, pieces) => {
        expect(decode(cut(wanted.map(encode).join(''), pieces))).toEqual(wanted);
      }),
    );
  });

  it('reads inline commands between arrays', () => {
    const bytes = `PING\r\n${encode(['GET', 'k'])}set k "a b"\n\r\n*0\r\nPING\n`;
    const wanted = [['PING'], ['GET', 'k'], ['set', 'k', 'a b'], ['PING']];
    expect(decode([bytes])).toEqual(wanted);
    expect(decode(bytes.split(''))).toEqual(wanted);
  });

  it.each([
    ['*x\r\n', 'ERR Protocol error: invalid multibulk length'],
    ['*01\r\n', 'ERR Protocol error: invalid multibulk length'],
    ['*1\r\n:1\r\n', "ERR Protocol error: expected '$', got ':'"],
    ['*1\r\n$-1\r\n', 'ERR Protocol error: invalid bulk length'],
    ['*1\r\n$536870913\r\n', 'ERR Protocol error: invalid bulk length'],
    ['set k "a\r\n', 'ERR Protocol error: unbalanced quotes in request'],
    ['x'.repeat(70_000), 'ERR Protocol error: too big inline request'],
    [`*${'1'.repeat(70_000)}`, 'ERR Protocol error: too big mbulk count string'],
    [`*1\r\n$${'1'.repeat(70_000)}`, 'ERR Protocol error: too big bulk count string'],
  ])('refuses %j and then stays silent', (bytes, message) => {
    expect(decode([bytes, 'PING\r\n', 'PING\r\n'])).toEqual([message]);
  });
});
