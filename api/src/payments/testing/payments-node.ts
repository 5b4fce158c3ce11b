import { randomUUID } from 'node:crypto';
import type { LedgerCommand } from '../../../../domain/ledger-commands.js';
import type { EventLog } from '../../../../event-log/event-log.js';
import { LogUnavailable, type NewEvent } from '../../../../event-log/event-log.types.js';
import type { Config } from '../../config.js';
import type { Clock } from '../../http/clock.js';
import type { LedgerLog } from '../../ledger/append-until-known.js';
import { Ledger } from '../../ledger/ledger.js';
import { LedgerBook } from '../../ledger/ledger-book.js';
import { newId } from '../../ledger/new-id.js';
import { StreamCommands } from '../../streams/stream-commands.js';
import { CallbackInbox } from '../callback-inbox.js';
import type { PaymentGateway } from '../gateway/payment-gateway.js';
import type { LedgerPayments } from '../ledger-payments.js';
import { Opening } from '../opening.js';
import { PaymentLog } from '../payment-log.js';
import { Poller, type Watch } from '../poller.js';
import { Settlement } from '../settlement.js';
import type { ReadOptions, StreamsInMemory } from './streams-in-memory.js';

export class Killed extends Error {}

export interface Surroundings {
  log: StreamsInMemory;
  gateway: PaymentGateway;
  ledgerPayments: LedgerPayments;
  watch: Watch;
  callbackUrl: string;
  now(): number;
  warn(message: string): void;
  /** Asked before and after everything that reaches outside: shall the process end here? */
  diesHere(): boolean;
  /** Shall the log's answer get lost here? */
  losesAnswer(): boolean;
}

/**
 * The payments of one api process, on a log in memory. Killed, whatever it waits for never comes: nothing after that
 * point runs, not even a `finally`.
 */
export class PaymentsNode {
  readonly death: Promise<never>;
  isDead = false;
  readonly ledger: Ledger;
  readonly payments: PaymentLog;
  readonly settlement: Settlement;
  readonly inbox: CallbackInbox;
  readonly opening: Opening;
  readonly poller: Poller;
  private die: (reason: Killed) => void = () => undefined;

  constructor(private readonly around: Surroundings) {
    this.death = new Promise<never>((_, reject) => {
      this.die = reject;
    });
    this.death.catch(() => undefined);
    const { now } = around;
    const log = this.log();
    const gateway = this.mortal(around.gateway);
    const clock: Clock = { now };
    this.ledger = new Ledger(new LedgerBook(), log, { now, newEventId: randomUUID, newId }, (error) => {
      throw error;
    });
    // The class has private members; what is asked of it here are these two.
    const eventLog = log as unknown as EventLog;
    this.payments = new PaymentLog(eventLog, new StreamCommands(eventLog, clock));
    this.settlement = new Settlement(gateway, this.mortal(around.ledgerPayments), this.ledger, this.payments);
    this.inbox = new CallbackInbox(gateway, this.payments, this.settlement);
    const config = { payments: { callbackUrl: around.callbackUrl }, linkOrigin: 'http://game.example' };
    this.opening = new Opening(gateway, this.payments, this.ledger, config as unknown as Config, clock);
    const everything = { roundMs: 0, pauseMs: 0, limit: Number.MAX_SAFE_INTEGER };
    this.poller = new Poller(gateway, this.settlement, around.watch, now, around.warn, everything);
  }

  /** As the application does, it waits for a log that is away. */
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

  /** The work's outcome, or Killed when the process ends first. */
  alive<T>(work: Promise<T>): Promise<T> {
    work.catch(() => undefined);
    return Promise.race([work, this.death]);
  }

  async command(command: LedgerCommand, commandId: string = randomUUID()) {
    return this.alive(this.ledger.execute(command, { actor: { id: 'admin', role: 'admin' }, commandId }));
  }

  /** As `kill -9` would. */
  kill(): void {
    this.isDead = true;
    this.die(new Killed('killed'));
  }

  private async step(): Promise<void> {
    if (!this.isDead && this.around.diesHere()) this.kill();
    if (this.isDead) await new Promise<never>(() => undefined);
  }

  private log(): LedgerLog {
    const { log, losesAnswer } = this.around;
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

  /** The same, with a chance of death before and after each call. */
  private mortal<T extends object>(inner: T): T {
    return new Proxy(inner, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...parameters: unknown[]): unknown => {
          const call = (): unknown => Reflect.apply(member, target, parameters);
          // The only thing that answers at once.
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
