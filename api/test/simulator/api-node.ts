import type { RecordedLedgerEvent } from '../../../contracts/events/recorded.js';
import type { Refusal } from '../../../contracts/refusals.js';
import { LEDGER_STREAM } from '../../../contracts/streams.js';
import type { CommandMetadata, LedgerCommand } from '../../../domain/ledger/ledger-commands.js';
import type { EventLog } from '../../../event-log/event-log.js';
import { whenReachable } from '../../../event-log/startup.js';
import type { AccountMails } from '../../src/features/gamers/account-mails.js';
import type { PaymentGateway } from '../../src/features/payments/gateway/payment-gateway.js';
import { CallbackInbox, Poller } from '../../src/features/payments/incoming-payments.js';
import { InvoiceService } from '../../src/features/payments/invoice.service.js';
import type { DueOrder, PaymentPollsStore } from '../../src/features/payments/payment-polls.store.js';
import type { PaymentsQueries } from '../../src/features/payments/payments.queries.js';
import { PaymentLog, Settlement } from '../../src/features/payments/settlement.js';
import { PayoutBatches, PayoutOutcomes } from '../../src/features/withdrawals/payout-batches.js';
import type { WithdrawalsQueries } from '../../src/features/withdrawals/withdrawals.queries.js';
import type { RateLimits } from '../../src/http/rate-limits.store.js';
import type { CommandResult } from '../../src/ledger/command-queue.js';
import { Ledger } from '../../src/ledger/ledger.js';
import { type CommittedEvent, LedgerReplica } from '../../src/ledger/ledger-replica.js';
import { Liveness } from '../../src/ledger/liveness.store.js';
import { Snapshots } from '../../src/ledger/snapshots.store.js';
import { StreamCommands } from '../../src/ledger/stream-commands.js';
import { Timekeeper } from '../../src/ledger/timekeeper.js';
import { PostgresTurns } from '../../src/ledger/turns.store.js';
import { Background } from '../../src/platform/background.js';
import { Clock } from '../../src/platform/clock.js';
import type { Config } from '../../src/platform/config.js';
import { isOutage, Refused, Unavailable } from '../../src/platform/failures.js';
import type { Locks } from '../../src/platform/locks.store.js';
import type { PersonalTexts } from '../../src/platform/personal-texts.store.js';
import { type AppendFault, FaultyLog, type Line } from '../faulty-log.js';
import { liveOf, type NodeLive } from './live-node.js';
import { SimulatedMachine } from './machine.js';
import type { SimulatedPostgres } from './postgres.js';
import type { SimulatedTables } from './tables.js';
import type { World } from './world.js';

export type ArrivalEnd =
  | { done: CommandResult }
  | { refused: Refusal; code: string }
  | { unavailable: string }
  | { failed: string };

/** A command that reached the node: when by its clock, and how it ended. */
export interface Arrival {
  receivedAtMs: number;
  ended: Promise<ArrivalEnd>;
}

/** One api process, with the classes of `ledger.module.ts` on simulated stores. */
export class ApiNode extends SimulatedMachine {
  readonly background = new Background();
  clock!: Clock;
  readonly log: FaultyLog;
  readonly announced: CommittedEvent[] = [];
  replica = new LedgerReplica();
  ledger!: Ledger;
  timekeeper!: Timekeeper;
  payments!: NodePayments;
  live!: NodeLive;
  /** Revision of the snapshot that the node started from; -1 without. */
  startedFrom = -1;
  isReady = false;
  broken: Error | null = null;

  constructor(
    name: string,
    world: World,
    private readonly postgres: SimulatedPostgres,
    private readonly gateway: PaymentGateway,
    private readonly tables: SimulatedTables,
  ) {
    super(name, world);
    this.log = new FaultyLog(world.memory, lineOf(world), world.time);
  }

  start(): Promise<void> {
    return this.run(() => this.open());
  }

  private async open(): Promise<void> {
    const { pool, snapshotStore, liveness: beats } = this.postgres;
    const untilReachable = <T>(work: () => Promise<T>) => whenReachable(work, isOutage, () => {});
    const fail = (error: Error): void => {
      this.broken ??= error;
    };
    this.clock = await new Clock(() => this.wallMs()).compareWithPostgres(pool, this.background);
    const snapshots = new Snapshots(snapshotStore, ['a secret of the simulation'], 'program');
    this.replica = await untilReachable(() => snapshots.newestReplica(this.log, (reason) => fail(new Error(reason))));
    this.startedFrom = this.replica.revision;
    const sources = {
      now: () => this.clock.now(),
      fault: () => (this.clock.fault === null ? null : new Refused('clock-untrusted')),
      turns: new PostgresTurns(pool),
      newEventId: () => this.world.newId('event'),
      newId: () => this.world.newId('fresh'),
    };
    this.ledger = new Ledger(this.replica, this.log, sources, fail);
    this.ledger.onCommitted((committed) => this.announced.push(...committed));
    await untilReachable(() => this.ledger.start());
    this.ledger.onCommitted(() => {
      if (this.world.random() < 0.02) this.keepSnapshot(snapshots);
    });
    const liveness = new Liveness(this.name, beats, this.ledger, this.clock, () => {});
    this.timekeeper = new Timekeeper(this.ledger, liveness, this.clock, fail);
    liveness.start();
    this.timekeeper.start();
    this.live = liveOf(this, this.postgres);
    this.payments = new NodePayments(this, this.gateway, this.world, this.tables);
    this.isReady = true;
    this.world.note(`${this.name} is ready at revision ${this.replica.revision}`);
  }

  private keepSnapshot(snapshots: Snapshots): void {
    const { realWork } = this.world.time;
    const saving = snapshots.save(this.replica).finally(() => realWork.delete(saving));
    realWork.add(saving);
  }

  /** Receives a request, whose command is executed after the work before it, such as finding the session. */
  receive(command: LedgerCommand, metadata: CommandMetadata, workMs: number): Arrival {
    const receivedAtMs = this.clock.now();
    const execute = async (): Promise<ArrivalEnd> => {
      await this.world.time.sleep(workMs, this);
      return outcomeOf(this.ledger.execute(command, { ...metadata, receivedAtMs }));
    };
    return { receivedAtMs, ended: execute() };
  }

  crash(): void {
    this.isDead = true;
    this.isReady = false;
    this.postgres.disconnect(this);
    this.world.note(`${this.name} crashes`);
  }

  /** Reads what the log has beyond the node's state, without faults. */
  async catchUp(): Promise<void> {
    const options = { fromRevision: this.replica.revision + 1 };
    for (const recorded of this.world.memory.read(LEDGER_STREAM, options))
      this.announced.push(this.replica.evolve(recorded as RecordedLedgerEvent));
  }
}

const outcomeOf = (result: Promise<CommandResult>): Promise<ArrivalEnd> =>
  result.then(
    (done) => ({ done }),
    (error: Error) => {
      if (error instanceof Refused) return { refused: error.refusal, code: error.refusal.code };
      if (error instanceof Unavailable) return { unavailable: error.message };
      return { failed: error.stack ?? error.message };
    },
  );

/** The event log's client waits this long for a response. */
const LOG_TIMEOUT_MS = 5_000;

const lineOf = (world: World): Line => ({
  latencyMs: () => 1 + world.upTo(5),
  silenceMs: () => world.timeoutOf('logSilent', LOG_TIMEOUT_MS),
  nextAppendFault: (): AppendFault => {
    if (world.isUnreachable('log')) return world.random() < 0.5 ? 'is lost' : 'arrives without a response';
    if (world.injects('appendLost')) return 'is lost';
    if (world.injects('appendWithoutResponse')) return 'arrives without a response';
    return world.injects('appendLate') ? { unansweredArrivesAfterMs: world.upTo(1_200) } : 'arrives';
  },
  readBreaksAfter: () => (world.isUnreachable('log') || world.injects('readBroken') ? world.upTo(3) : null),
});

const CONFIG = { payments: { payoutsByGateway: true } } as Config;
const UNLIMITED = { count: async () => {} } as unknown as RateLimits;

/** The payment services of an api process, as `payments.controller.ts` composes them. */
class NodePayments {
  readonly invoices: InvoiceService;
  readonly inbox: CallbackInbox;
  readonly payouts: PayoutBatches;

  constructor(
    { log, clock, ledger, background }: ApiNode,
    gateway: PaymentGateway,
    world: World,
    tables: SimulatedTables,
  ) {
    // EventLog has private members, so this cast: only append and its reads are used here.
    const eventLog = log as unknown as EventLog;
    const payments = new PaymentLog(eventLog, new StreamCommands(eventLog, clock));
    // Asked only when the ledger has the payment and forgot its command, which takes it a day.
    const queries = {} as PaymentsQueries;
    const settlement = new Settlement(gateway, queries, ledger, payments);
    this.inbox = new CallbackInbox(gateway, payments, settlement, background);
    this.invoices = new InvoiceService(gateway, payments, ledger, clock, UNLIMITED);
    const polls = {
      due: async () => dueOrders(world),
      markPolled: async () => {},
      forgetBefore: async () => {},
    } as unknown as PaymentPollsStore;
    const locks = { ifFree: (_: string, work: () => Promise<void>) => work() } as unknown as Locks;
    new Poller(gateway, settlement, polls, locks, clock, background, 20).start();
    this.payouts = new PayoutBatches(
      gateway,
      ledger,
      { createdAtMsOf: async () => tables.withdrawalTimes } as unknown as WithdrawalsQueries,
      { decrypt: async (texts: unknown) => texts } as unknown as PersonalTexts,
      CONFIG,
    );
    const mails = { withdrawalSettled: () => {} } as unknown as AccountMails;
    new PayoutOutcomes(gateway, ledger, locks, mails, CONFIG, this.inbox, background);
  }
}

/** Every order that has an invoice: the table that spares the gateway polls is SQL. */
function dueOrders({ memory }: World): DueOrder[] {
  return [...memory.streams.values()].flatMap((events) => {
    const opened = events[0]?.event;
    return opened?.type === 'PaymentOpened' ? [{ ...opened.data, changedAtMs: 0 }] : [];
  });
}
