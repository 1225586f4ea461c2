import { describe, expect, it } from 'vitest';
import {
  BigNumberReply,
  DoubleReply,
  ErrorReply,
  MapReply,
  noReply,
  nullArray,
  PushReply,
  type Reply,
  SetReply,
  StatusReply,
  VerbatimReply,
} from '../reply.ts';
import { encodeReply } from './reply-encoder.ts';

const forms: readonly [Reply, string, string][] = [
  ['a\xff', '$2\r\na\xff\r\n', '$2\r\na\xff\r\n'],
  [-3, ':-3\r\n', ':-3\r\n'],
  [9223372036854775807n, ':9223372036854775807\r\n', ':9223372036854775807\r\n'],
  [null, '$-1\r\n', '_\r\n'],
  [true, ':1\r\n', '#t\r\n'],
  [false, ':0\r\n', '#f\r\n'],
  [['a', [1]], '*2\r\n$1\r\na\r\n*1\r\n:1\r\n', '*2\r\n$1\r\na\r\n*1\r\n:1\r\n'],
  [new StatusReply('a\r\nb'), '+a  b\r\n', '+a  b\r\n'],
  [new ErrorReply('ERR a\nb'), '-ERR a b\r\n', '-ERR a b\r\n'],
  [new DoubleReply(0.1), '$19\r\n0.10000000000000001\r\n', ',0.10000000000000001\r\n'],
  [new DoubleReply(Number.POSITIVE_INFINITY), '$3\r\ninf\r\n', ',inf\r\n'],
  [new MapReply(['a', 1]), '*2\r\n$1\r\na\r\n:1\r\n', '%1\r\n$1\r\na\r\n:1\r\n'],
  [new SetReply([1]), '*1\r\n:1\r\n', '~1\r\n:1\r\n'],
  [new PushReply([1]), '*1\r\n:1\r\n', '>1\r\n:1\r\n'],
  [new VerbatimReply('txt', 'ab'), '$2\r\nab\r\n', '=6\r\ntxt:ab\r\n'],
  [new BigNumberReply('12'), '$2\r\n12\r\n', '(12\r\n'],
  [nullArray, '*-1\r\n', '_\r\n'],
  [noReply, '', ''],
];

describe('encodeReply', () => {
  it('writes every kind of reply as Redis does', () => {
    for (const [reply, resp2, resp3] of forms) {
      expect(encodeReply(reply, 2)).toBe(resp2);
      expect(encodeReply(reply, 3)).toBe(resp3);
    }
  });
});
