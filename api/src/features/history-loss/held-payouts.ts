import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { DAY_MS } from '../../../../contracts/durations.js';
import { SYSTEM } from '../../../../contracts/events/metadata.js';
import type { HeldPayoutsResponse, PayoutDifference } from '../../../../contracts/http/history-loss.js';
import { paidScript } from '../../../../contracts/paid-script.js';
import { acceptedLosses, isPayoutSettled, lossHoldingPayouts } from '../../../../domain/history-loss.js';
import type { HistoryLoss } from '../../../../domain/ledger/ledger-state.js';
import { orderedPayouts } from '../../../../domain/withdrawals.js';
import { isMissingRelation } from '../../../../event-log/postgres.js';
import { withTimeout } from '../../../../event-log/timers.js';
import { Ledger } from '../../ledger/ledger.js';
import { Background } from '../../platform/background.js';
import { isOutage, Refused, Unavailable } from '../../platform/failures.js';
import { Locks } from '../../platform/locks.store.js';
import { LedgerIndexQueries, WHOLE_LEDGER } from '../audit/ledger-index.queries.js';
import * as gateway from '../payments/gateway/payment-gateway.js';
import { Settlement } from '../payments/settlement.js';
import { type PaidWithdrawal, WithdrawalsQueries } from '../withdrawals/withdrawals.queries.js';

const COMPARE_EVERY_MS = 5_000;
/** A request waits this long for the gateway's response; the node goes on comparing. */
const RESPONSE_TIMEOUT_MS = 5_000;

/**
 * While a loss of history holds payouts (decision 66), compares the gateway's payouts with the log. Releases the payouts once none
 * differs.
 */
@Injectable()
export class HeldPayouts {
  private readonly logger = new Logger('losses');
  private comparing: ReturnType<HeldPayouts['fetchFromGateway']> | null = null;
  /** Each node settles the listed payments once for a loss; the poller finds their later changes. */
  private settled = { revision: -1, paymentCount: 0 };

  constructor(
    private readonly gateway: gateway.PaymentGateway,
    private readonly settlement: Settlement,
    private readonly ledger: Ledger,
    private readonly index: LedgerIndexQueries,
    private readonly withdrawals: WithdrawalsQueries,
    private readonly locks: Locks,
    private readonly background: Background,
  ) {
    background.every(COMPARE_EVERY_MS, () => this.releaseUnlessDifferent(), 'payouts wait');
  }

  async read(): Promise<HeldPayoutsResponse> {
    const loss = this.ledger.ask(lossHoldingPayouts);
    const nothing = { problem: null, mayRelease: false, differences: [] };
    if (loss === null) return { loss, ...nothing };
    const { atMs, lastKeptAtMs, acceptedBy, reason } = loss;
    const response = { loss: { atMs, lastKeptAtMs, acceptedBy, reason }, ...nothing };
    try {
      const { differences } = await withTimeout(this.compare(loss), RESPONSE_TIMEOUT_MS, tooSlow);
      return { ...response, differences };
    } catch (error) {
      if (!preventsComparison(error)) throw error;
      return { ...response, problem: error.message, mayRelease: gateway.isGatewayError(error) };
    }
  }

  /** Refuses to settle a payout that does not differ. A repeated command is left to the ledger. */
  async mustDiffer(payoutId: string): Promise<void> {
    const { loss, problem, differences } = await this.read();
    if (loss === null || this.ledger.ask(isPayoutSettled, payoutId)) return;
    if (problem !== null) throw new Refused('gateway-unavailable');
    if (!differences.some(({ id }) => id === payoutId)) throw new Refused('payout-not-found');
  }

  private async releaseUnlessDifferent(): Promise<void> {
    const loss = this.ledger.ask(lossHoldingPayouts);
    if (loss === null) return;
    const release = async () => {
      const { differences, ...counts } = await this.compare(loss);
      if (differences.length > 0) return;
      const metadata = { actor: SYSTEM, commandId: randomUUID() };
      await this.ledger.execute({ type: 'ReleasePayouts', ...counts, reason: null }, metadata);
    };
    await this.locks.ifFree('payouts after a loss', release);
  }

  private async compare(loss: HistoryLoss) {
    // A payment may have been created, and a payout made, before the event that is lost.
    const lostSinceMs = (await this.lastKeptAtMs(loss)) - DAY_MS;
    const open = await this.withdrawals.open();
    // A withdrawal that was requested long before may have been paid then, and completed in the lost time.
    const sinceMs = Math.min(lostSinceMs, ...open.map(({ createdAt }) => createdAt));
    this.comparing ??= this.fetchFromGateway(loss, lostSinceMs, sinceMs).finally(() => {
      this.comparing = null;
    });
    const { paymentCount, payouts } = await this.comparing;
    const paid = await this.withdrawals.paidSince(sinceMs);
    // Skip payouts that were ordered here: their outcome is still to be recorded.
    const ordered = new Set<unknown>(this.ledger.ask(orderedPayouts).map(({ payoutId }) => payoutId));
    const differences: PayoutDifference[] = [];
    for (const payout of payouts) {
      const { payoutId: id, status, amount, currency, address, hash: txid, createdAtMs } = payout;
      if (this.ledger.ask(isPayoutSettled, id) || gateway.NEVER_SENT_STATUSES.includes(status)) continue;
      if (ordered.has(payout.externalId) || isPaidBy(payout, paid)) continue;
      const index = open.findIndex((withdrawal) => mayPay(payout, withdrawal));
      const [withdrawal = null] = index < 0 ? [] : open.splice(index, 1);
      if (withdrawal === null && createdAtMs !== null && createdAtMs < lostSinceMs) continue;
      const coins = `${amount ?? '?'} ${currency?.toUpperCase() ?? ''}`;
      differences.push({ id, status, amount: coins, walletAddress: address ?? '', txid, createdAtMs, withdrawal });
    }
    return { paymentCount, payoutCount: payouts.length, differences };
  }

  /** Time of the last event before the earliest loss since the last release. Throws Unavailable while the tables are of the lost log. */
  private async lastKeptAtMs({ revision, lastKeptAtMs }: HistoryLoss): Promise<number> {
    const [lostAt] = await this.index.ofType('HistoryLost', WHOLE_LEDGER, 1);
    if (lostAt !== revision || (await this.index.lastNumber()) > this.ledger.head.tree.size)
      throw new Unavailable('the worker has not built the tables from this log yet');
    const [releasedAt = -1] = await this.index.ofType('PayoutsReleased', WHOLE_LEDGER, 1);
    const waiting = this.ledger.ask(acceptedLosses).filter((loss) => loss.revision > releasedAt);
    // The list is empty when another node has just released the payouts.
    return Math.min(lastKeptAtMs, ...waiting.map((loss) => loss.lastKeptAtMs));
  }

  private async fetchFromGateway({ revision }: HistoryLoss, paymentsSinceMs: number, payoutsSinceMs: number) {
    if (this.settled.revision !== revision) {
      const payments = await this.gateway.listPaymentsSince(paymentsSinceMs);
      for (const payment of payments) {
        if (this.background.signal.aborted) throw new Unavailable('this node stops');
        await this.settlement.settle(payment, 'poller').catch((error: unknown) => {
          if (preventsComparison(error)) throw error;
          // One payment that cannot be settled must not hold all payouts: the poller tries it again.
          this.logger.error(`payment ${payment.paymentId} could not be settled: ${(error as Error).message}`);
        });
      }
      this.settled = { revision, paymentCount: payments.length };
    }
    const payouts = await this.gateway.listPayoutsSince(payoutsSinceMs);
    return { paymentCount: this.settled.paymentCount, payouts };
  }
}

/** One transaction may have paid several withdrawals. */
const isPaidBy = ({ hash, address }: gateway.GatewayPayout, paid: readonly PaidWithdrawal[]): boolean =>
  paid.some(
    ({ txid, cryptoType, walletAddress }) =>
      txid?.toLowerCase() === hash?.toLowerCase() &&
      (address === null || paidScript(cryptoType, address) === paidScript(cryptoType, walletAddress)),
  );

const tooSlow = () => new Unavailable('the gateway is still being asked');

/** True for an outage or a gateway error: the payouts stay held, and the panel shows the reason. */
const preventsComparison = (error: unknown): error is Error =>
  gateway.isGatewayError(error) || isOutage(error) || isMissingRelation(error);

/** A payout with our id pays only its own withdrawal. */
function mayPay(
  { address, createdAtMs, externalId }: gateway.GatewayPayout,
  { id, cryptoType, walletAddress, createdAt }: NonNullable<PayoutDifference['withdrawal']>,
): boolean {
  if (externalId !== null) return externalId.startsWith(`${id}-`);
  // Any other is matched by address only: somebody may have sent another coin to it.
  const isTo = address !== null && paidScript(cryptoType, address) === paidScript(cryptoType, walletAddress);
  return isTo && (createdAtMs ?? createdAt) >= createdAt;
}
