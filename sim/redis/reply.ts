// What a command answers, before any protocol: plain JavaScript values where one fits (so that the
// direct transport and scripts use them as they are), small tagged objects for the rest.
//
// string: bulk string (latin1) · number, bigint: integer · null: null bulk string · boolean: RESP3
// boolean · array: array · the classes below: everything else.

export type Reply =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly Reply[]
  | StatusReply
  | ErrorReply
  | DoubleReply
  | MapReply
  | SetReply
  | PushReply
  | VerbatimReply
  | BigNumberReply
  | NullArrayReply
  | NoReply;

/** A simple string such as `OK`. */
export class StatusReply {
  readonly kind = 'status';
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** An error; `message` starts with its code (`ERR`, `WRONGTYPE`, …) and has no leading dash. */
export class ErrorReply {
  readonly kind = 'error';
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

/** A double: a bulk string under RESP2. */
export class DoubleReply {
  readonly kind = 'double';
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

/** Keys and values in turn: a flat array under RESP2. */
export class MapReply {
  readonly kind = 'map';
  readonly entries: readonly Reply[];
  constructor(entries: readonly Reply[]) {
    this.entries = entries;
  }
}

/** A set: an array under RESP2. */
export class SetReply {
  readonly kind = 'set';
  readonly items: readonly Reply[];
  constructor(items: readonly Reply[]) {
    this.items = items;
  }
}

/** A message nobody asked for: an array under RESP2. */
export class PushReply {
  readonly kind = 'push';
  readonly items: readonly Reply[];
  constructor(items: readonly Reply[]) {
    this.items = items;
  }
}

/** Text with a three-letter format: a bulk string under RESP2. */
export class VerbatimReply {
  readonly kind = 'verbatim';
  readonly format: string;
  readonly text: string;
  constructor(format: string, text: string) {
    this.format = format;
    this.text = text;
  }
}

/** An integer of any size, as a script may return it: a bulk string under RESP2. */
export class BigNumberReply {
  readonly kind = 'big-number';
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** `*-1` under RESP2, null under RESP3: what an aborted EXEC answers. */
export class NullArrayReply {
  readonly kind = 'null-array';
}

/** Nothing is sent now: the script that was asked for has not ended (see Store, busy). */
export class NoReply {
  readonly kind = 'none';
}

export const ok = new StatusReply('OK');
export const queued = new StatusReply('QUEUED');
export const nullArray = new NullArrayReply();
export const noReply = new NoReply();
export const wrongType = new ErrorReply(
  'WRONGTYPE Operation against a key holding the wrong kind of value',
);
export const syntaxError = new ErrorReply('ERR syntax error');
export const notAnInteger = new ErrorReply('ERR value is not an integer or out of range');
export const notAFloat = new ErrorReply('ERR value is not a valid float');

/** A client's text inside an error, as printf writes it: up to the first zero byte. */
export function toCString(text: string): string {
  const end = text.indexOf('\0');
  return end === -1 ? text : text.slice(0, end);
}
