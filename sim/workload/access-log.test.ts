import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { requestSchema } from '../scenario/scenario.ts';
import { AccessLogError, readAccessLog } from './access-log.ts';
import { loadAccessLog } from './log-file.ts';
import { requestsFromLog } from './log-requests.ts';
import { shippedFile, shippedLog } from './shipped.ts';

const folder = mkdtempSync(join(tmpdir(), 'weir-log-'));
afterAll(() => rmSync(folder, { recursive: true }));

function line(time: string, request = 'GET / HTTP/1.1', rest = ' "-" "curl"'): string {
  return `10.0.0.1 - - [${time}] "${request}" 200 12${rest}`;
}
const read = (...lines: string[]) => readAccessLog(lines.join('\n'), { file: 'a.log' });

describe('readAccessLog', () => {
  it('reads the combined and the common format, with escaped quotes and zones', () => {
    const log = read(
      '2001:db8::1 - ann [17/May/2015:10:05:03 +0200] "POST /a/b?c=1#d HTTP/1.1" 201 - "http://x/" "say \\"hi\\""',
      line('29/Feb/2016:23:59:59 -0130', 'GET http://shop.example/x HTTP/1.0', ''),
    );
    expect(log).toMatchObject({ lines: 2, malformed: 0, unordered: 0 });
    // Checked with `date -u -d '2015-05-17 08:05:03' +%s` and `date -u -d '2016-03-01 01:29:59' +%s`.
    expect(log.entries).toEqual([
      {
        atMs: 1_431_849_903_000,
        address: '2001:db8::1',
        user: 'ann',
        method: 'POST',
        path: '/a/b',
        agent: 'say \\"hi\\"',
      },
      {
        atMs: 1_456_795_799_000,
        address: '10.0.0.1',
        user: undefined,
        method: 'GET',
        path: '/x',
        agent: undefined,
      },
    ]);
  });

  it('counts malformed lines and leaves them out', () => {
    const log = read(
      line('17/May/2015:10:05:03 +0000'),
      'not a log line',
      line('31/Apr/2015:10:05:03 +0000'),
      line('17/May/2015:24:05:03 +0000'),
      line('17/May/2015:10:05:03 +0000', '\\x16\\x03\\x01'),
      '10.0.0.1 - - [17/May/2015:10:05:04 +0000] "GET / HT',
      '',
    );
    expect(log).toMatchObject({ lines: 6, malformed: 5 });
    expect(log.entries).toHaveLength(1);
  });

  it('counts lines out of order and sorts them stably', () => {
    const log = read(
      line('17/May/2015:10:05:09 +0000', 'GET /c HTTP/1.1'),
      line('17/May/2015:10:05:03 +0000', 'GET /a HTTP/1.1'),
      line('17/May/2015:10:05:03 +0000', 'GET /b HTTP/1.1'),
    );
    expect(log.unordered).toBe(2);
    expect(log.entries.map((entry) => entry.path)).toEqual(['/a', '/b', '/c']);
  });

  it('spreads the lines of one second evenly over it', () => {
    const { entries } = read(
      ...Array.from({ length: 4 }, () => line('17/May/2015:10:05:03 +0000')),
    );
    expect(entries.map((entry) => entry.atMs % 10_000)).toEqual([3000, 3250, 3500, 3750]);
  });

  it('names the file and the line when nothing fits', () => {
    const attempt = () => readAccessLog('\n{"json": true}\n', { file: 'my.log' });
    expect(attempt).toThrow(AccessLogError);
    expect(attempt).toThrow(/^my\.log:2: expected a line in combined log format.*json/);
    expect(() => readAccessLog('', { file: 'my.log' })).toThrow('my.log: the log holds no lines.');
  });
});

describe('loadAccessLog', () => {
  it('reads plain and gzip files alike', () => {
    const text = line('17/May/2015:10:05:03 +0000');
    writeFileSync(join(folder, 'plain.log'), text);
    writeFileSync(join(folder, 'packed'), gzipSync(text));
    expect(loadAccessLog(join(folder, 'packed'))).toEqual(loadAccessLog(join(folder, 'plain.log')));
  });

  it('names the file when it is missing, a folder or damaged', () => {
    const packed = gzipSync(line('17/May/2015:10:05:03 +0000'));
    const damaged = join(folder, 'damaged.gz');
    writeFileSync(damaged, packed.subarray(0, packed.length - 12));
    const missing = join(folder, 'missing.log');
    expect(() => loadAccessLog(missing)).toThrow(`${missing}: there is no such file.`);
    expect(() => loadAccessLog(damaged)).toThrow(`${damaged}: the gzip data is damaged`);
    expect(() => loadAccessLog(folder)).toThrow(`${folder}: it cannot be read`);
  });

  it('reads every line of both shipped logs but the damaged ones', () => {
    const whole = loadAccessLog(shippedFile('access-four-days.log.gz'));
    expect(whole.lines).toBe(9999);
    expect(whole.malformed).toBeLessThan(10);
    expect(whole.unordered).toBeGreaterThan(1000);
    const lines = readFileSync(shippedFile('access.log'), 'utf8').trimEnd().split('\n');
    expect(shippedLog().length).toBeGreaterThan(lines.length - 10);
  });
});

describe('requestsFromLog', () => {
  const { entries } = readAccessLog(
    [line('17/May/2015:10:05:03 +0000'), line('17/May/2015:10:06:03 +0000')].join('\n'),
    { file: 'a.log' },
  );

  it('starts at 0, numbers from 1 and takes the tenant from the chosen field', () => {
    const requests = requestsFromLog(entries, { tenant: 'agent', user: 'user' });
    for (const request of requests) expect(requestSchema.parse(request)).toEqual(request);
    expect(requests.map(({ id, atUs }) => [id, atUs])).toEqual([
      [1, 0],
      [2, 60_000_000],
    ]);
    expect(requests[0]).toMatchObject({ tenant: 'curl', user: 'unknown', cost: 1 });
    expect(requestsFromLog(entries)[0]).toMatchObject({ tenant: '10.0.0.1', user: 'curl' });
  });

  it('cuts after the given number and lets time pass faster', () => {
    expect(requestsFromLog(entries, { maxRequests: 1 })).toHaveLength(1);
    expect(requestsFromLog(entries, { speed: 60 })[1]?.atUs).toBe(1_000_000);
  });
});
