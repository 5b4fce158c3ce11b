import type { EventLog } from '../../../event-log/event-log.js';
import type { AccountMails } from '../../src/features/gamers/account-mails.js';
import type { PaymentGateway } from '../../src/features/payments/gateway/payment-gateway.js';
import { CallbackInbox, Poller } from '../../src/features/payments/incoming-payments.js';
import { InvoiceService } from '../../src/features/payments/invoice.service.js';

import type { DueOrder, PaymentPollsStore } from '../../src/features/payments/payment-polls.store.js';
import type { PaymentsQueries } from '../../src/features/payments/payments.queries.js';
import { PaymentLog, Settlement } from '../../src/features/payments/settlement.js';
import { PayoutOutcomes } from '../../src/features/withdrawals/payout-outcomes.js';
import { PayoutBatches } from '../../src/features/withdrawals/payouts.controller.js';
import type { WithdrawalsQueries } from '../../src/features/withdrawals/withdrawals.queries.js';
import type { RateLimits } from '../../src/http/rate-limits.store.js';
import type { Ledger } from '../../src/ledger/ledger.js';
import { StreamCommands } from '../../src/ledger/stream-commands.js';
import type { Background } from '../../src/platform/background.js';
import type { Clock } from '../../src/platform/clock.js';
import type { Config } from '../../src/platform/config.js';
import type { PersonalTexts } from '../../src/platform/personal-texts.store.js';
import type { FaultyLog } from '../faulty-log.js';
import type { SimulatedTables } from './tables.js';
import type { World } from './world.js';

const CONFIG = { payments: { payoutsByGateway: true } } as Config;
const UNLIMITED = { count: async () => {} } as unknown as RateLimits;

interface Process {
  log: FaultyLog;
  clock: Clock;
  ledger: Ledger;
  background: Background;
}

/** The payment services of an api process, as `payments.controller.ts` composes them. */
export class NodePayments {
  readonly invoices: InvoiceService;
  readonly inbox: CallbackInbox;
  readonly payouts: PayoutBatches;

  constructor(
    { log, clock, ledger, background }: Process,
    gateway: PaymentGateway,
    world: World,
    tables: SimulatedTables,
  ) {
    // EventLog has private members, so this cast: only append and readStream are used here.
    const eventLog = log as unknown as EventLog;
    const payments = new PaymentLog(eventLog, new StreamCommands(eventLog, clock));
    // Asked only when the ledger has the payment and forgot its command, which takes it a day.
    const queries = {} as PaymentsQueries;
    const settlement = new Settlement(gateway, queries, ledger, payments);
    this.inbox = new CallbackInbox(gateway, payments, settlement, background);
    this.invoices = new InvoiceService(gateway, payments, ledger, clock, UNLIMITED);
    const polls = {
      alone: (task: () => Promise<void>) => task(),
      due: async () => dueOrders(world),
      markPolled: async () => {},
      forgetBefore: async () => {},
    } as unknown as PaymentPollsStore;
    new Poller(gateway, settlement, polls, clock, background, 20).start();
    this.payouts = new PayoutBatches(
      gateway,
      ledger,
      { createdAtMsOf: async () => tables.withdrawalTimes } as unknown as WithdrawalsQueries,
      { decrypt: async (texts: unknown) => texts } as unknown as PersonalTexts,
      CONFIG,
    );
    const mails = { withdrawalSettled: () => {} } as unknown as AccountMails;
    new PayoutOutcomes(gateway, ledger, polls, mails, CONFIG, this.inbox, background);
  }
}

/** Every order that has an invoice: the table that spares the gateway polls is SQL. */
function dueOrders({ memory }: World): DueOrder[] {
  return [...memory.streams.values()].flatMap((events) => {
    const opened = events[0]?.event;
    return opened?.type === 'PaymentOpened' ? [{ ...opened.data, changedAtMs: 0 }] : [];
  });
}
