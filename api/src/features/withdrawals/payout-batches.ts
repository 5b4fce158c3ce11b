import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { compareDecimals, fromUnits, mulDivFloor } from '../../../../contracts/decimal.js';
import { HOUR_MS } from '../../../../contracts/durations.js';
import { type Actor, SYSTEM } from '../../../../contracts/events/metadata.js';
import type * as http from '../../../../contracts/http/withdrawals.js';
import type { WithdrawalId } from '../../../../contracts/ids.js';
import { type Refusal, refusalText } from '../../../../contracts/refusals.js';
import { acceptedLosses } from '../../../../domain/history-loss.js';
import type { BatchPayout, LedgerCommand } from '../../../../domain/ledger/ledger-commands.js';
import type { OpenWithdrawal } from '../../../../domain/ledger/ledger-state.js';
import { openBatches, openWithdrawal, payoutRefusal, payoutsIn } from '../../../../domain/withdrawals.js';
import { WithPosition } from '../../http/position.interceptors.js';
import { Ledger } from '../../ledger/ledger.js';
import { Background } from '../../platform/background.js';
import { Config } from '../../platform/config.js';
import { Refused, Unavailable } from '../../platform/failures.js';
import { Locks } from '../../platform/locks.store.js';
import { PersonalTexts } from '../../platform/personal-texts.store.js';
import { AccountMails } from '../gamers/account-mails.js';
import * as gateway from '../payments/gateway/payment-gateway.js';
import { CallbackInbox } from '../payments/incoming-payments.js';
import { WithdrawalsQueries } from './withdrawals.queries.js';

/** The gateway accepts at most this many decimal places. */
const COIN_PLACES = 6;

type Payable = OpenWithdrawal & { id: WithdrawalId; createdAtMs: number };
type PricedPayout = Payable & Omit<BatchPayout, 'withdrawalId'>;
type Refusals = Map<WithdrawalId, Refusal>;

/**
 * Payouts by the gateway (decision 12). A batch sends nothing before its code is entered, and only a batch whose payouts are
 * in the log gets its code: so each payout is sent at most once, whatever fails or dies between two steps. A batch that was
 * created and not recorded is never sent.
 */
@Injectable()
export class PayoutBatches {
  constructor(
    private readonly gateway: gateway.PaymentGateway,
    private readonly ledger: Ledger,
    private readonly withdrawals: WithdrawalsQueries,
    private readonly texts: PersonalTexts,
    private readonly config: Config,
  ) {}

  /** Orders payouts and enters the code of their batches. Repeatable after any failure; payouts that cannot be made are reported. */
  async order(withdrawalIds: readonly WithdrawalId[], code: string, actor: Actor) {
    if (!this.config.payments?.payoutsByGateway) throw new Refused('payouts-by-hand');
    await this.ledger.refresh();
    const refusals: Refusals = new Map();
    const idsIn = (batchId: string) => this.ledger.ask(payoutsIn, batchId).map((payout) => payout.withdrawalId);
    const batches = this.ledger.ask(openBatches).filter((id) => idsIn(id).some((one) => withdrawalIds.includes(one)));
    const inOpenBatches = batches.flatMap(idsIn);
    const notOrdered = withdrawalIds.filter((id) => !inOpenBatches.includes(id));
    const chosen = await this.payable(notOrdered, refusals);
    const payouts = await this.orRefusal(this.withAmounts(chosen, refusals));
    const processing = await this.process(payouts, actor, refusals);
    const unsent = await this.recordSent(processing, actor, refusals);
    if (unsent.length > 0) batches.push(await this.create(unsent, actor));
    let { position } = this.ledger.head;
    const count = batches.flatMap(idsIn).length;
    for (const batchId of batches) position = await this.verify(batchId, code, actor);
    const refused = [...refusals].map(([withdrawalId, refusal]) => ({ withdrawalId, error: refusalText(refusal) }));
    return new WithPosition<http.OrderPayoutsResponse>(position, { message: summaryOf(count, code), refused });
  }

  /** Enters the code of a batch whose payouts are in the log; without a code the batch goes on waiting. */
  private async verify(batchId: string, code: string, actor: Actor): Promise<string> {
    const payouts = this.ledger.ask(payoutsIn, batchId);
    // Another node's events came first and undid its payouts: such a batch never gets its code.
    if (payouts.length === 0) throw new Refused({ code: 'changed-meanwhile', parameters: { by: null } });
    // The state may be ahead of the log. This command changes nothing, and is accepted once the log has the payouts.
    const { position } = await this.execute({ type: 'OrderPayouts', batchId, payouts }, actor);
    if (code !== '') await this.enterCode(batchId, code);
    return position;
  }

  /** A refusal or a lost response after an accepted code counts as accepted: the batch is then under way. */
  private async enterCode(batchId: string, code: string): Promise<void> {
    try {
      await this.gateway.verifyPayouts(batchId, code);
    } catch (error) {
      if (!gateway.isGatewayError(error)) throw error;
      const payouts = (await this.orRefusal(this.gateway.getPayouts(batchId))) ?? [];
      const waiting = [...gateway.UNVERIFIED_STATUSES, ...gateway.NEVER_SENT_STATUSES];
      if (payouts.some(({ status }) => !waiting.includes(status))) return;
      throw new Refused(error instanceof gateway.GatewayRefused ? 'payout-code-refused' : 'payouts-unanswered');
    }
  }

  /** The withdrawals that the ledger lets the gateway pay, with the ledger's addresses: a writer of tables must not change them. */
  private async payable(withdrawalIds: readonly WithdrawalId[], refusals: Refusals): Promise<Payable[]> {
    const createdAtMsOf = await this.withdrawals.createdAtMsOf(withdrawalIds);
    const payable: Payable[] = [];
    for (const id of withdrawalIds) {
      const refusal = this.ledger.ask(payoutRefusal, id);
      const inLedger = this.ledger.ask(openWithdrawal, id);
      const createdAtMs = createdAtMsOf.get(id);
      if (refusal !== null || inLedger === undefined) refusals.set(id, refusal ?? { code: 'withdrawal-not-found' });
      else if (createdAtMs === undefined) throw new Unavailable(`the tables do not have the withdrawal ${id} yet`);
      else payable.push({ id, createdAtMs, ...(await this.texts.decrypt(inLedger)) });
    }
    return payable;
  }

  /** Adds the amounts in coins. The number of failed payouts ends a payout's id, so that a new payout never matches an old one. */
  private async withAmounts(chosen: readonly Payable[], refusals: Refusals): Promise<PricedPayout[]> {
    const priced: PricedPayout[] = [];
    for (const coin of new Set(chosen.map(({ cryptoType }) => cryptoType))) {
      const ofCoin = chosen.filter(({ cryptoType }) => cryptoType === coin);
      const sumCents = ofCoin.reduce((sum, { amountCents }) => sum + amountCents, 0);
      const coins = await this.gateway.estimateCoins(sumCents, coin);
      const least = await this.gateway.minimumPayout(coin);
      for (const withdrawal of ofCoin) {
        const { id, amountCents } = withdrawal;
        const units = mulDivFloor(coins, String(amountCents), String(sumCents), COIN_PLACES);
        const amount = fromUnits(units, COIN_PLACES);
        const payoutId = `${id}-${withdrawal.failedPayouts.length}`;
        if (units > 0n && compareDecimals(amount, least) >= 0) priced.push({ ...withdrawal, payoutId, amount });
        else refusals.set(id, { code: 'payout-below-minimum', parameters: { least: `${least} ${coin}` } });
      }
    }
    return priced;
  }

  /** Sets the withdrawals to processing, so that their gamers cannot cancel them. Returns those that were not decided meanwhile. */
  private async process(payouts: readonly PricedPayout[], actor: Actor, refusals: Refusals): Promise<PricedPayout[]> {
    const update = { status: 'processing', adminNotes: null, txid: null } as const;
    const isProcessing = async ({ id }: PricedPayout): Promise<boolean> => {
      if (this.ledger.ask(openWithdrawal, id)?.status === 'processing') return true;
      try {
        await this.execute({ type: 'UpdateWithdrawal', withdrawalId: id, update }, actor);
        return true;
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        refusals.set(id, error.refusal);
        return false;
      }
    };
    const results = await Promise.all(payouts.map(isProcessing));
    return payouts.filter((_, index) => results[index]);
  }

  /** Records payouts that the gateway has sent without a record here, after a loss of history, and returns the others. */
  private async recordSent(payouts: readonly PricedPayout[], actor: Actor, refusals: Refusals) {
    if (payouts.length === 0) return [];
    const sinceMs = Math.min(...payouts.map(({ createdAtMs }) => createdAtMs));
    const listed = await this.orRefusal(this.gateway.listPayoutsSince(sinceMs));
    // After a loss of history the log may lack a waiting payout, and its code may already be entered: count it as sent.
    const unsentYet = this.ledger.ask(acceptedLosses).length > 0 ? [] : gateway.UNVERIFIED_STATUSES;
    const sent = listed.filter(
      ({ status }) => !unsentYet.includes(status) && !gateway.NEVER_SENT_STATUSES.includes(status),
    );
    const unsent: PricedPayout[] = [];
    for (const payout of payouts) {
      const found = sent.find(({ externalId }) => isAttempt(externalId, payout));
      if (found === undefined) unsent.push(payout);
      else if (found.batchId === null || found.amount === null || gateway.UNVERIFIED_STATUSES.includes(found.status))
        refusals.set(payout.id, { code: 'payout-unknown' });
      else {
        const recorded = { withdrawalId: payout.id, payoutId: found.externalId as string, amount: found.amount };
        await this.execute({ type: 'OrderPayouts', batchId: found.batchId, payouts: [recorded] }, actor);
      }
    }
    return unsent;
  }

  /** Creates a batch and records its payouts. The batch sends nothing yet, and never anything if this node dies in between. */
  private async create(priced: readonly PricedPayout[], actor: Actor): Promise<string> {
    const instructions = priced.map(({ payoutId: externalId, cryptoType, walletAddress: address, amount }) => {
      return { externalId, cryptoType, address, amount };
    });
    const created = await this.orRefusal(this.gateway.createPayouts(instructions));
    const batchId = created[0]?.batchId ?? null;
    if (batchId === null) throw new Refused('payouts-unanswered');
    const payouts = priced.map(({ id: withdrawalId, payoutId, amount }) => ({ withdrawalId, payoutId, amount }));
    await this.execute({ type: 'OrderPayouts', batchId, payouts }, actor);
    return batchId;
  }

  /** Each step is a command of its own: a repeated request looks at the state, and does what is missing. */
  private execute(command: LedgerCommand, actor: Actor) {
    return this.ledger.execute(command, { actor, commandId: randomUUID() });
  }

  private async orRefusal<T>(call: Promise<T>): Promise<T> {
    try {
      return await call;
    } catch (error) {
      if (!gateway.isGatewayError(error)) throw error;
      if (!(error instanceof gateway.GatewayRefused)) throw new Refused('payouts-unanswered');
      throw new Refused({ code: 'payouts-refused', parameters: { message: error.message } });
    }
  }
}

/** Whether the id names a payout of this withdrawal whose failure is not in the log. */
const isAttempt = (externalId: string | null, { id, failedPayouts }: Payable): boolean =>
  externalId?.startsWith(`${id}-`) === true && Number(externalId.slice(id.length + 1)) >= failedPayouts.length;

function summaryOf(count: number, code: string): string {
  const what = count === 1 ? 'One payout is' : `${count} payouts are`;
  return `${what} with the gateway${code === '' ? ', which waits for its code' : ''}`;
}

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
    private readonly gateway: gateway.PaymentGateway,
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
  private outcomeOf(payoutId: string, payout: gateway.GatewayPayout | undefined, nowMonotonicMs: number) {
    const sinceMonotonicMs = this.unknownSinceMonotonicMs.get(payoutId) ?? nowMonotonicMs;
    if (payout) this.unknownSinceMonotonicMs.delete(payoutId);
    else this.unknownSinceMonotonicMs.set(payoutId, sinceMonotonicMs);
    if (nowMonotonicMs - sinceMonotonicMs >= HOUR_MS) return UNCERTAIN;
    const status = OUTCOMES.find((outcome) => outcome === payout?.status?.toLowerCase());
    return payout && status ? { status, paidAmount: payout.amount, txid: payout.hash } : null;
  }
}
