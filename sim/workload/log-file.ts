// Access logs as files, plain or compressed by gzip.

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { type AccessLog, AccessLogError, readAccessLog } from './access-log.ts';

/** Larger files are refused rather than read into memory: 1 GiB, which is about 5 million lines. */
const bytesMax = 2 ** 30;

/**
 * Reads a log file. Gzip is recognised by its first two bytes, not by its name.
 *
 * @throws AccessLogError naming the file when it cannot be read, unpacked or understood.
 */
export function loadAccessLog(file: string): AccessLog {
  return readAccessLog(unpack(file, readBytes(file)).toString('utf8'), { file });
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    const problem = isMissing ? 'there is no such file.' : `it cannot be read (${textOf(cause)}).`;
    throw new AccessLogError(file, problem, { cause });
  }
}

function unpack(file: string, bytes: Buffer): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: bytesMax });
  } catch (cause) {
    throw new AccessLogError(file, `the gzip data is damaged (${textOf(cause)}).`, { cause });
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
