import { randomUUID } from 'node:crypto';
import type { LedgerCommand } from '../../domain/ledger/ledger-commands.js';
import type { EventLog } from '../../event-log/event-log.js';
import { LogUnavailable, type NewEvent } from '../../event-log/event-log.types.js';
import { CallbackInbox } from '../src/features/payments/callback-inbox.js';
import type { PaymentGateway } from '../src/features/payments/gateway/payment-gateway.js';
import { InvoiceService } from '../src/features/payments/invoice.service.js';
import { PaymentLog } from '../src/features/payments/payment-log.js';
import type { PaymentsQueries } from '../src/features/payments/payments.queries.js';
import { type PaymentPolls, Poller } from '../src/features/payments/poller.js';
import { Settlement } from '../src/features/payments/settlement.js';
import type { RateLimits } from '../src/http/rate-limits.store.js';
import type { LedgerLog } from '../src/ledger/append-until-known.js';
import { newId } from '../src/ledger/ids.js';
import { Ledger } from '../src/ledger/ledger.js';
import { LedgerReplica } from '../src/ledger/ledger-replica.js';
import { StreamCommands } from '../src/ledger/stream-commands.js';
import type { Clock } from '../src/platform/clock.js';
import type { Config } from '../src/platform/config.js';
import { Background } from '../src/platform/every.js';
import type { ReadOptions, StreamsInMemory } from './streams-in-memory.js';

export class Killed extends Error {}

export interface Environment {
  log: StreamsInMemory;
  gateway: PaymentGateway;
  outcomes: Pick<PaymentsQueries, 'outcomeOf'>;
  polls: PaymentPolls;
  callbackUrl: string;
  now(): number;
  warn(message: string): void;
  /** Called before and after every outside call: true ends the process there. */
  diesHere(): boolean;
  /** True loses the log's answer to a read. */
  losesAnswer(): boolean;
}

/** The payment services of an api process, on a log in memory. Once killed, its outside calls never return. */
export class PaymentsNode {
  readonly death: Promise<never>;
  isDead = false;
  readonly ledger: Ledger;
  readonly payments: PaymentLog;
  readonly settlement: Settlement;
  readonly inbox: CallbackInbox;
  readonly invoices: InvoiceService;
  readonly poller: Poller;
  private die: (reason: Killed) => void = () => undefined;

  constructor(private readonly environment: Environment) {
    this.death = new Promise<never>((_, reject) => {
      this.die = reject;
    });
    this.death.catch(() => undefined);
    const { now } = environment;
    const log = this.log();
    const gateway = this.killable(environment.gateway);
    const clock = { now, fault: null } as Clock;
    // No command expires: otherwise the commands of a killed process would be answered, and its code would go on.
    const monotonicMs = () => 0;
    const sources = { now, monotonicMs, newEventId: randomUUID, newId };
    this.ledger = new Ledger(new LedgerReplica(), log, sources, (error) => {
      throw error;
    });
    // EventLog has private members, so this cast: only append and readStream are used here.
    const eventLog = log as unknown as EventLog;
    this.payments = new PaymentLog(eventLog, new StreamCommands(eventLog, clock));
    const outcomes = this.killable(environment.outcomes) as PaymentsQueries;
    this.settlement = new Settlement(gateway, outcomes, this.ledger, this.payments);
    this.inbox = new CallbackInbox(gateway, this.payments, this.settlement, new Background());
    const config = { payments: { callbackUrl: environment.callbackUrl }, linkOrigin: 'http://game.example' };
    const unlimited = { count: async () => {} } as unknown as RateLimits;
    this.invoices = new InvoiceService(gateway, this.payments, this.ledger, config as Config, clock, unlimited);
    // Stream commands give up by a real timer, and so their callers go on for a moment in a killed process too.
    const warn = (message: string) => {
      if (!this.isDead) environment.warn(message);
    };
    this.poller = new Poller(gateway, this.settlement, environment.polls, now, warn, new Background(), 0);
  }

  /** Like the application, waits until the log is available. */
  async start(): Promise<this> {
    for (;;) {
      try {
        await this.alive(this.ledger.start());
        return this;
      } catch (error) {
        if (!(error instanceof LogUnavailable)) throw error;
      }
    }
  }

  /** The promise's outcome; throws Killed when the process ends first. */
  alive<T>(work: Promise<T>): Promise<T> {
    work.catch(() => undefined);
    return Promise.race([work, this.death]);
  }

  async command(command: LedgerCommand, commandId: string = randomUUID()) {
    return this.alive(this.ledger.execute(command, { actor: { id: 'admin', role: 'admin' }, commandId }));
  }

  kill(): void {
    this.isDead = true;
    this.die(new Killed('killed'));
  }

  private async step(): Promise<void> {
    if (!this.isDead && this.environment.diesHere()) this.kill();
    if (this.isDead) await new Promise<never>(() => undefined);
  }

  private log(): LedgerLog {
    const { log, losesAnswer } = this.environment;
    const step = () => this.step();
    return {
      append: async (stream: string, events: NewEvent[], expected: number) => {
        await step();
        const result = log.append(stream, events, expected);
        await step();
        return result;
      },
      async *readStream(stream: string, options?: ReadOptions) {
        await step();
        if (losesAnswer()) throw new LogUnavailable('the read broke off');
        for (const recorded of log.read(stream, options)) yield recorded;
        await step();
      },
    };
  }

  /** Wraps an object so that the process may end before or after each call. */
  private killable<T extends object>(inner: T): T {
    return new Proxy(inner, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...parameters: unknown[]): unknown => {
          const call = (): unknown => Reflect.apply(member, target, parameters);
          // The only synchronous method.
          if (name === 'verifyCallback') return call();
          return this.step()
            .then(call)
            .then(async (result) => {
              await this.step();
              return result;
            });
        };
      },
    });
  }
}
