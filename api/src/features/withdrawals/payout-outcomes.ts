import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { HOUR_MS } from '../../../../contracts/durations.js';
import { SYSTEM } from '../../../../contracts/events/metadata.js';
import type { BatchPayout } from '../../../../domain/ledger/ledger-commands.js';
import { openBatches, payoutsIn } from '../../../../domain/withdrawals.js';
import { Ledger } from '../../ledger/ledger.js';
import { Background } from '../../platform/background.js';
import { Config } from '../../platform/config.js';
import { Locks } from '../../platform/locks.store.js';
import { AccountMails } from '../gamers/account-mails.js';
import { type GatewayPayout, PaymentGateway } from '../payments/gateway/payment-gateway.js';
import { CallbackInbox } from '../payments/incoming-payments.js';

const POLLED_EVERY_MS = 5_000;
const OUTCOMES = ['finished', 'failed', 'rejected'] as const;
/** The ledger takes a finished payout without an amount as uncertain: it may have been paid. */
const UNCERTAIN = { status: 'finished', paidAmount: null, txid: null } as const;

@Injectable()
export class PayoutOutcomes {
  private readonly logger = new Logger('payouts');
  /** Time since which the gateway has not known an ordered payout, by payout id. */
  private readonly unknownSinceMonotonicMs = new Map<string, number>();

  constructor(
    private readonly gateway: PaymentGateway,
    private readonly ledger: Ledger,
    private readonly locks: Locks,
    private readonly mails: AccountMails,
    config: Config,
    inbox: CallbackInbox,
    background: Background,
  ) {
    // Also without `payoutsByGateway`: it may have been switched off while payouts were under way.
    if (config.payments === null) return;
    const poll = () => this.poll(performance.now());
    inbox.payoutListeners.push(background.every(POLLED_EVERY_MS, poll, 'payouts could not be polled'));
  }

  async poll(nowMonotonicMs: number): Promise<void> {
    if (this.ledger.ask(openBatches).length === 0) return;
    await this.locks.ifFree('payouts by the gateway', async () => {
      for (const batchId of this.ledger.ask(openBatches)) {
        await this.recordOutcomes(batchId, nowMonotonicMs).catch(({ message }: Error) =>
          this.logger.warn(`batch ${batchId} could not be polled: ${message}`),
        );
      }
    });
  }

  private async recordOutcomes(batchId: string, nowMonotonicMs: number): Promise<void> {
    const payouts = (await this.gateway.getPayouts(batchId)) ?? [];
    const record = async ({ withdrawalId, payoutId }: BatchPayout): Promise<void> => {
      const payout = payouts.find(({ externalId }) => externalId === payoutId);
      const outcome = this.outcomeOf(payoutId, payout, nowMonotonicMs);
      if (outcome === null) return;
      const metadata = { actor: SYSTEM, commandId: randomUUID() };
      const command = { type: 'RecordPayoutOutcome', withdrawalId, payoutId, ...outcome } as const;
      const { events } = await this.ledger.execute(command, metadata);
      for (const { event } of events) if (event.type === 'WithdrawalCompleted') this.mails.withdrawalSettled(event);
    };
    await Promise.all(this.ledger.ask(payoutsIn, batchId).map(record));
  }

  /** The outcome to record; null while the payout is pending. After an hour unknown to the gateway it is uncertain. */
  private outcomeOf(payoutId: string, payout: GatewayPayout | undefined, nowMonotonicMs: number) {
    const sinceMonotonicMs = this.unknownSinceMonotonicMs.get(payoutId) ?? nowMonotonicMs;
    if (payout) this.unknownSinceMonotonicMs.delete(payoutId);
    else this.unknownSinceMonotonicMs.set(payoutId, sinceMonotonicMs);
    if (nowMonotonicMs - sinceMonotonicMs >= HOUR_MS) return UNCERTAIN;
    const status = OUTCOMES.find((outcome) => outcome === payout?.status?.toLowerCase());
    return payout && status ? { status, paidAmount: payout.amount, txid: payout.hash } : null;
  }
}
