// The simulated world of one run: hosts, network, store, gateways, replicas and clients, wired as a
// scenario says. It turns what happens into history events and decides nothing about right or wrong.

import type { Host } from '../kernel/host.ts';
import { type Cause, Kernel } from '../kernel/kernel.ts';
import { Network } from '../network/network.ts';
import type { Reply } from '../redis/reply.ts';
import { RedisServer } from '../redis/server.ts';
import { type ScriptExecution, Store } from '../redis/store.ts';
import type { HistoryEvent, Outcome } from '../run/history.ts';
import type { Latency, Request, Scenario } from '../scenario/scenario.ts';
import type { Subject, SubjectHost } from '../subject.ts';
import { Clients } from './clients.ts';
import { DirectClient, type DirectConnection } from './direct-client.ts';
import { faultEndMs, scheduleFaults } from './faults.ts';
import { Gateway } from './gateway.ts';
import { Operation, Operations } from './operations.ts';
import { Replica } from './replica.ts';
import { scriptCommandOf } from './script-command.ts';

/** The port the simulated store listens on. */
const redisPort = 6379;

export interface WorldOptions {
  readonly scenario: Scenario;
  /** The workload, materialised and in order of time. */
  readonly requests: readonly Request[];
  readonly subject: Subject;
  readonly transport: 'wire' | 'direct';
  readonly client: 5 | 6;
  readonly emit: (event: HistoryEvent) => void;
}

export class World {
  readonly scenario: Scenario;
  readonly kernel: Kernel;
  readonly network: Network;
  readonly store: Store;
  readonly redisHost: Host;
  readonly clientsHost: Host;
  readonly gateways: Gateway[] = [];
  readonly replicas: Replica[] = [];
  readonly operations = new Operations();
  readonly emit: (event: HistoryEvent) => void;
  /** True time at which the limiters are closed, and at which nothing may be left of them. */
  readonly closeUs: number;
  readonly endUs: number;
  readonly #options: WorldOptions;
  readonly #server: RedisServer;
  readonly #upstream: Host;
  readonly #clients: Clients;
  readonly #hosts = new Map<string, Host>();
  readonly #replyLoss = new Map<Host, 'reply-lost' | 'reset-mid-script'>();

  constructor(options: WorldOptions) {
    const { scenario, requests } = options;
    this.#options = options;
    this.scenario = scenario;
    this.emit = options.emit;
    this.kernel = new Kernel({ seed: scenario.seed });
    this.network = new Network(this.kernel, { latency: (from, to) => this.#latency(from, to) });
    this.network.onWrite = (from, to, chunk) => this.#attributeWrite(from, to, chunk);

    this.redisHost = this.#createHost('redis');
    this.#upstream = this.#createHost('upstream');
    this.clientsHost = this.#createHost('clients');
    for (let index = 0; index < scenario.topology.gateways; index += 1) {
      this.gateways.push(new Gateway(this, this.#createHost(`gateway-${index}`)));
    }
    for (let index = 0; index < scenario.topology.replicas; index += 1) {
      const host = this.#createHost(`replica-${index}`);
      this.replicas.push(new Replica(this, host, scenario.policies));
    }

    this.store = new Store({ clockUs: () => this.kernel.epochMs * 1000 + this.#storeUs() });
    this.store.onScript = (execution) => this.#scriptExecuted(execution);
    this.#server = new RedisServer({
      host: this.redisHost,
      kernel: this.kernel,
      store: this.store,
      serviceUs: (command) =>
        command.startsWith('eval') ? scenario.topology.scriptUs : scenario.topology.commandUs,
    });

    const lastMs = Math.max(0, ...scenario.faults.map(faultEndMs));
    const lastUs = Math.max(requests.at(-1)?.atUs ?? 0, lastMs * 1000);
    this.closeUs = lastUs + scenario.knobs.settleMs * 1000;
    this.endUs = this.closeUs + closingUs;
    this.#clients = new Clients(this, requests, this.closeUs - scenario.knobs.deadlineMs * 2000);
  }

  /** Runs at the start of the simulation: everything else follows from what it schedules. */
  start(): void {
    this.startStore();
    for (const replica of this.replicas) replica.boot();
    scheduleFaults(this);
    this.#clients.start();
    this.kernel.schedule(this.closeUs, this.kernel.world, this.kernel.cause, () => this.#close());
  }

  /** The store's process: listens, with the data it has. */
  startStore(): void {
    const listen = (): void => {
      this.#server.start();
      this.network.listen(this.redisHost, redisPort, (link) => this.#server.accept(link));
    };
    if (this.redisHost.state === 'down') this.redisHost.restart(listen);
    else this.redisHost.spawn(listen);
  }

  hostNamed(name: string): Host {
    const host = this.#hosts.get(name);
    if (host === undefined) throw new Error(`Expected a host of this scenario, got ${name}.`);
    return host;
  }

  createLimiter(replica: Replica): SubjectHost {
    const { subject, client, transport } = this.#options;
    return subject.createHost({
      redisOptions: { host: this.redisHost.name, port: redisPort },
      ...(transport === 'direct' ? { redis: this.#createDirectClient(replica.host) } : {}),
      client,
      policies: replica.policies,
      deadlineMs: this.scenario.knobs.deadlineMs,
    });
  }

  /** A request has reached a gateway. */
  receive(gateway: Gateway, operation: Operation): void {
    const { id, request, attempt } = operation;
    this.emit({ kind: 'request', atUs: this.kernel.nowUs, operation: id, request, attempt });
    gateway.receive(operation);
  }

  startCheck(operation: Operation, replica: Replica): void {
    const { host } = replica;
    this.operations.start(operation, host.name);
    this.emit({
      kind: 'check-started',
      atUs: this.kernel.nowUs,
      operation: operation.id,
      request: operation.request,
      host: host.name,
      incarnation: host.incarnation,
      policies: replica.policies,
    });
  }

  settleCheck(
    operation: Operation,
    replica: Replica,
    outcome: Outcome | undefined,
    error: string | undefined,
  ): void {
    this.operations.settle(operation);
    this.emit({
      kind: 'check-settled',
      atUs: this.kernel.nowUs,
      operation: operation.id,
      host: replica.host.name,
      outcome,
      error,
    });
  }

  /** A gateway has its answer: the request goes on to the upstream, or the client hears no. */
  answer(
    operation: Operation,
    outcome: Outcome | undefined,
    by: 'replica' | 'gateway-deadline',
  ): void {
    const allowed = outcome?.allowed === true;
    const { nowUs, host } = this.kernel;
    this.emit({ kind: 'answered', atUs: nowUs, operation: operation.id, allowed, by });
    if (allowed) {
      this.network.send(host, this.#upstream, () => {
        this.emit({ kind: 'upstream', atUs: this.kernel.nowUs, operation: operation.id });
      });
    }
    this.#clients.heard(operation.request, operation.attempt, allowed, outcome);
  }

  emitHost(host: Host, state: 'up' | 'down'): void {
    const { incarnation } = host;
    this.emit({ kind: 'host', atUs: this.kernel.nowUs, host: host.name, incarnation, state });
  }

  /** From now the next script of this host loses its connection, before or after its reply left. */
  armReplyLoss(host: Host, kind: 'reply-lost' | 'reset-mid-script'): void {
    this.#replyLoss.set(host, kind);
  }

  #close(): void {
    for (const replica of this.replicas) {
      if (replica.host.state === 'up') replica.host.spawn(() => replica.close());
    }
  }

  #createHost(name: string): Host {
    const offsetMs = this.scenario.topology.clockOffsetsMs[name] ?? 0;
    // The limiter runs on replicas; every other host is this simulator's own code.
    const isSimulated = !name.startsWith('replica-');
    const host = this.kernel.createHost(name, { offsetMs, isSimulated });
    this.#hosts.set(name, host);
    return host;
  }

  #latency(from: Host, to: Host): Latency {
    const { storeLink, gatewayLink } = this.scenario.topology;
    return from === this.redisHost || to === this.redisHost ? storeLink : gatewayLink;
  }

  #storeUs(): number {
    return this.redisHost.clock.wallUs() - this.kernel.epochMs * 1000;
  }

  #attributeWrite(from: Host, to: Host, chunk: string): Cause {
    const command = to === this.redisHost ? scriptCommandOf(chunk) : undefined;
    return command === undefined ? this.kernel.cause : this.#attributeScript(from, command);
  }

  #attributeScript(from: Host, command: string): Cause {
    const operation = this.operations.attribute(from.name, this.kernel.cause);
    this.emit({
      kind: 'script-sent',
      atUs: this.kernel.nowUs,
      operation: operation?.id ?? 0,
      host: from.name,
      command,
    });
    return operation ?? from.background;
  }

  #scriptExecuted(execution: ScriptExecution): void {
    const { cause } = this.kernel;
    const operation = cause instanceof Operation ? cause : undefined;
    this.emit({
      kind: 'script-executed',
      atUs: this.kernel.nowUs,
      operation: operation?.id ?? 0,
      storeMs: execution.storeMs,
      failed: execution.failed,
      ...(execution.error === undefined ? {} : { error: execution.error }),
      keys: execution.changes,
    });
    if (operation !== undefined && this.#replyLoss.size > 0) {
      this.#loseReply(this.hostNamed(operation.host));
    }
  }

  #loseReply(host: Host): void {
    const loss = this.#replyLoss.get(host);
    if (loss === undefined) return;
    this.#replyLoss.delete(host);
    // The reply leaves when the service time is over; a microsecond later it is on its way.
    const delayUs = loss === 'reply-lost' ? this.scenario.topology.scriptUs + 1 : 0;
    this.kernel.schedule(delayUs, this.kernel.world, this.kernel.cause, () => {
      this.network.resetConnections(host, this.redisHost);
    });
  }

  #createDirectClient(host: Host): DirectClient {
    const connect = (): DirectConnection => ({
      host,
      session: this.store.createSession(),
      up: { lastArrivalUs: 0 },
      down: { lastArrivalUs: 0 },
    });
    return new DirectClient(connect, (...call) => this.#sendDirect(...call));
  }

  #sendDirect(connection: DirectConnection, args: string[], reply: (reply: Reply) => void): void {
    const { kernel, network, redisHost } = this;
    const { host, session, up, down } = connection;
    const outer = kernel.cause;
    kernel.cause = this.#attributeScript(host, args[0] ?? '');
    const deliver = (): void => {
      this.#server.request(session, args, (value) => {
        network.send(redisHost, host, () => reply(value), down);
      });
    };
    network.send(host, redisHost, deliver, up);
    kernel.cause = outer;
  }
}

/** How long after the limiters were closed the world still runs, so that leftovers show. */
const closingUs = 5_000_000;
