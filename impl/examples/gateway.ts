// A runnable gateway: node:http in front of a service, every request checked before it goes on.
//
//   npx tsx impl/examples/gateway.ts --help          (in a clone)
//   node dist/impl/examples/gateway.js --port 8080   (built)
//
// It shows the order that matters: authenticate, build the descriptor, check, and only after an
// allow touch the upstream. What it leaves out: TLS, HTTP/2, retries, logging.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { Redis } from 'ioredis';
import { formatRateLimitFields, statusOf } from '../http/rate-limit-fields.ts';
import {
  createLimiter,
  type Decision,
  type Descriptor,
  type Limiter,
  PolicyError,
  parsePolicies,
} from '../index.ts';

const HELP = `Usage: gateway [options]

A rate-limiting HTTP gateway on Redis.

Options:
  --port N               port to listen on (default 8080)
  --host ADDR            address to listen on (default 127.0.0.1; 0.0.0.0 for all)
  --redis URL            the store (default redis://127.0.0.1:6379)
  --policy FILE          limits as YAML or JSON (default: 100/min per tenant and address, burst 20)
  --upstream URL         where allowed requests go; without it the gateway answers them itself
  --api-key KEY=TENANT   a client's key, may be given often; with none, clients need no key
  --trusted-proxy ADDR   a peer whose X-Forwarded-For is believed, may be given often
  --help                 show this

Example:
  gateway --port 8080 --upstream http://127.0.0.1:3000 --api-key s3cret=acme
  curl -i -H 'Authorization: Bearer s3cret' http://127.0.0.1:8080/orders/17
`;

const DEFAULT_POLICY = `
limits:
  - id: default
    key: [tenant, address]
    rate: 100/min
    burst: 20
    protects: the service behind the gateway
`;

export interface GatewayOptions {
  readonly limiter: Limiter;
  readonly upstream?: URL | undefined;
  /** Tenant by API key. Empty: no key is asked for. */
  readonly tenants: ReadonlyMap<string, string>;
  readonly trustedProxies: ReadonlySet<string>;
  /** Told of every decision: for logs and metrics. */
  readonly onDecision?: ((decision: Decision) => void) | undefined;
}

/** Creates the gateway's server; the caller listens and closes. */
export function createGateway(options: GatewayOptions): Server {
  return createServer((incoming, response) => {
    handle(incoming, response, options).catch((error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      answer(response, 500, {}, 'The gateway failed.');
    });
  });
}

async function handle(
  incoming: IncomingMessage,
  response: ServerResponse,
  options: GatewayOptions,
): Promise<void> {
  const tenant = authenticate(incoming, options.tenants);
  if (tenant === undefined) {
    answer(response, 401, { 'WWW-Authenticate': 'Bearer' }, 'Unknown API key.');
    return;
  }
  const decision = await options.limiter.check(describe(incoming, tenant, options.trustedProxies));
  options.onDecision?.(decision);
  if (response.destroyed) {
    return;
  }
  const fields = formatRateLimitFields(decision);
  const status = statusOf(decision);
  if (status !== undefined) {
    answer(response, status, fields, explain(decision));
  } else if (options.upstream === undefined) {
    answer(response, 200, fields, `Allowed; ${decision.remaining} left.`);
  } else {
    forward(incoming, response, options.upstream, fields);
  }
}

/** The tenant of a request, or `undefined` when its key is unknown. */
function authenticate(
  { headers }: IncomingMessage,
  tenants: ReadonlyMap<string, string>,
): string | undefined {
  if (tenants.size === 0) {
    return 'public';
  }
  const [, key = ''] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  return tenants.get(key);
}

/** Built after authentication: nothing in it is what a client merely claims. */
function describe(
  incoming: IncomingMessage,
  tenant: string,
  trustedProxies: ReadonlySet<string>,
): Descriptor {
  // A proxy client may send the whole URL as its target.
  const route = (incoming.url ?? '/').replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  return { tenant, method: incoming.method, route, address: findAddress(incoming, trustedProxies) };
}

/** The socket's address; behind trusted proxies the last forwarded one that is not theirs. */
function findAddress(
  { socket, headers }: IncomingMessage,
  trustedProxies: ReadonlySet<string>,
): string {
  const forwarded = [headers['x-forwarded-for'] ?? ''].flat().join(',').split(',');
  let address = (socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/, '');
  while (trustedProxies.has(address)) {
    const previous = forwarded.pop()?.trim();
    if (previous === undefined || previous === '') {
      break;
    }
    address = previous;
  }
  return address;
}

function explain(decision: Decision): string {
  switch (decision.reason) {
    case 'store-unavailable':
      return 'Temporarily unavailable.';
    case 'cost-exceeds-capacity':
      return 'The request costs more than its limit can ever hold.';
    case 'limit-zero':
      return 'Blocked.';
    default:
      return 'Too many requests.';
  }
}

function answer(
  response: ServerResponse,
  status: number,
  fields: Record<string, string>,
  text: string,
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, { ...fields, 'Content-Type': 'text/plain; charset=utf-8' });
  response.end(`${text}\n`);
}

function forward(
  incoming: IncomingMessage,
  response: ServerResponse,
  upstream: URL,
  fields: Record<string, string>,
): void {
  const { method, url, headers } = incoming;
  const outgoing = request(upstream, { method, path: url, headers }, (reply) => {
    response.writeHead(reply.statusCode ?? 502, { ...reply.headers, ...fields });
    reply.pipe(response);
  });
  outgoing.on('error', () => answer(response, 502, fields, 'The service did not answer.'));
  response.on('close', () => outgoing.destroy());
  incoming.pipe(outgoing);
}

async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string', default: '8080' },
      host: { type: 'string', default: '127.0.0.1' },
      redis: { type: 'string', default: 'redis://127.0.0.1:6379' },
      policy: { type: 'string' },
      upstream: { type: 'string' },
      'api-key': { type: 'string', multiple: true, default: [] },
      'trusted-proxy': { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const { policy } = values;
  const text = policy === undefined ? DEFAULT_POLICY : readPolicyFile(policy);
  const policies = parsePolicies(text, { file: policy ?? 'default policy' });
  const upstream = values.upstream === undefined ? undefined : parseUpstream(values.upstream);
  const tenants = new Map(values['api-key'].map(parseApiKey));
  const port = parsePort(values.port);
  const redis = new Redis(parseRedis(values.redis), { lazyConnect: true });
  const limiter = createLimiter({ redis, policies });
  const server = createGateway({
    limiter,
    upstream,
    tenants,
    trustedProxies: new Set(values['trusted-proxy']),
    onDecision: createStoreLog((line) => process.stderr.write(`${line}\n`)),
  });
  const stop = () => {
    server.close();
    server.closeIdleConnections();
    void limiter.close();
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  server.on('error', stop);
  process.stderr.write(`Waiting for the store at ${values.redis}\n`);
  // Taking traffic before the store can be asked would deny all of it.
  limiter.ready().then(() => server.listen(port, values.host), stop);
  await once(server, 'listening');
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  process.stderr.write(`Listening on http://${values.host}:${bound}\n`);
}

/** Says once when the store stops answering, with the reason, and once when it is back. */
function createStoreLog(say: (line: string) => void): (decision: Decision) => void {
  let isAway = false;
  return ({ source, failure }) => {
    if (failure !== undefined && !isAway) {
      isAway = true;
      say(`The store does not answer (${failure.code}): ${failure.message}`);
    } else if (source === 'store' && isAway) {
      isAway = false;
      say('The store answers again.');
    }
  };
}

function parseRedis(text: string): string {
  if (!URL.canParse(text) || !/^rediss?:$/.test(new URL(text).protocol)) {
    throw new TypeError(`--redis is "${text}", expected a redis:// URL`);
  }
  return text;
}

function parseUpstream(text: string): URL {
  if (!URL.canParse(text) || new URL(text).protocol !== 'http:') {
    throw new TypeError(`--upstream is "${text}", expected an http:// URL`);
  }
  return new URL(text);
}

function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new TypeError(`--port is "${text}", expected a number from 0 to 65535`);
  }
  return Number(text);
}

function readPolicyFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new TypeError(`--policy is "${file}", expected a file that can be read`, { cause });
  }
}

function parseApiKey(text: string): [key: string, tenant: string] {
  const [, key, tenant] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (key === undefined || tenant === undefined) {
    throw new TypeError(`--api-key is "${text}", expected KEY=TENANT`);
  }
  return [key, tenant];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  main(process.argv.slice(2)).catch((error: unknown) => {
    const isUsage = error instanceof PolicyError || error instanceof TypeError;
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`gateway: ${message}\n`);
    process.exitCode = isUsage ? 2 : 1;
  });
}
