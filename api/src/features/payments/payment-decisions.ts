import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { isCryptoType } from '../../../../contracts/crypto.js';
import { fromUnits } from '../../../../contracts/decimal.js';
import type { Actor } from '../../../../contracts/events/metadata.js';
import type * as http from '../../../../contracts/http/deposits.js';
import type { GamerId, GatewayPaymentId } from '../../../../contracts/ids.js';
import { formatCents } from '../../../../contracts/money.js';
import { refusalText } from '../../../../contracts/refusals.js';
import type { CommandMetadata } from '../../../../domain/ledger/ledger-commands.js';
import { messageAt, WithPosition } from '../../http/position.interceptors.js';
import type { CommandResult } from '../../ledger/command-queue.js';
import { Ledger } from '../../ledger/ledger.js';
import { ledgerCommand } from '../../ledger/ledger-command.js';
import { Refused } from '../../platform/failures.js';
import { AccountMails } from '../gamers/account-mails.js';
import { AccountsStore } from '../gamers/accounts.store.js';
import { TAG_OF_DELETED } from '../gamers/gamers.queries.js';
import { GatewayUnavailable } from './gateway/payment-gateway.js';
import { describePaymentChange, describeReviewReason } from './payment-descriptions.js';
import { type PaymentOutcome, PaymentsQueries, recordedChange } from './payments.queries.js';
import { Settlement } from './settlement.js';

const eventOf = (_command: unknown, { events }: CommandResult) => events[0]?.event;
export const ApproveDeposit = ledgerCommand('ApproveDeposit', eventOf);
export const RejectDeposit = ledgerCommand('RejectDeposit', eventOf);
type Decision = InstanceType<typeof ApproveDeposit | typeof RejectDeposit>;

@Injectable()
export class PaymentDecisions {
  constructor(
    private readonly commands: CommandBus,
    private readonly settlement: Settlement,
    private readonly ledger: Ledger,
    private readonly accounts: AccountsStore,
    private readonly queries: PaymentsQueries,
    private readonly mails: AccountMails,
  ) {}

  /**
   * Credits or rejects a parked payment for good. Refuses with `deposit-changed` when the payment changed at the gateway after the
   * admin's list was loaded.
   */
  async decide(decision: Decision, expected: string | null) {
    const deposit = await this.queries.outcomeOf({ depositId: decision.fields.depositId });
    if (deposit?.outcome === 'pending') {
      const change = await this.changeOf(deposit.paymentId, decision.metadata.actor);
      if (change !== expected) throw new Refused({ code: 'deposit-changed', parameters: { change } });
    }
    const { position, body: event } = await this.commands.execute(decision);
    const isApproval = decision instanceof ApproveDeposit;
    if (isApproval) this.mails.depositApproved(event);
    else if (deposit !== null) this.mails.depositRejected(deposit);
    return messageAt(position, `The deposit is ${isApproval ? 'approved' : 'rejected'}`);
  }

  /**
   * Looks up a payment (decision 31), and settles an unknown one as its callback would have. Refuses a credited one. Credits
   * a parked one when the admin names a gamer: another than the recorded one only with a reason (decision 48), and a changed
   * payment only once the admin has seen the change. Else the response asks for what is missing.
   */
  async lookUp(
    { paymentId, gamerTag, reason, change: expected = null }: http.LookupPaymentRequest,
    metadata: CommandMetadata,
  ): Promise<WithPosition<http.LookupPaymentResponse>> {
    const account = gamerTag ? await this.accounts.findByTag(gamerTag) : null;
    if (gamerTag && account === null) throw new Refused('gamer-not-found');
    const assigned = account && { gamerId: account.gamerId, ...(reason && { reassignmentReason: reason }) };
    const known = await this.queries.outcomeOf({ paymentId });
    if (known !== null && known.outcome !== 'pending') return this.refuseSettled(known, metadata.actor);
    const { deposit, change, details } = known
      ? { deposit: known, change: await this.changeOf(paymentId, metadata.actor), details: detailsOf(known, 'pending') }
      : await this.settle(paymentId, metadata.actor);
    if (deposit.outcome !== 'pending') return this.creditedResponse(this.ledger.committed.position, deposit, details);
    if (assigned === null || deposit.depositId === null) return this.waitingResponse(deposit, details, change);
    const isRecordedForOther = deposit.gamerId !== null && deposit.gamerId !== assigned.gamerId;
    if (isRecordedForOther && !reason)
      return this.waitingResponse(deposit, details, change, refusalText({ code: 'reassignment-needs-reason' }));
    if (change !== expected) return this.waitingResponse(deposit, details, change, DECIDE_AGAIN);
    const approval = new ApproveDeposit({ depositId: deposit.depositId, ...assigned }, metadata);
    const { position, body: event } = await this.commands.execute(approval);
    this.mails.depositApproved(event);
    return this.creditedResponse(position, { ...deposit, gamerId: assigned.gamerId }, details);
  }

  /** The change since the verdict as a sentence: fetched now, or as last recorded while the gateway is unavailable. Null without one. */
  private async changeOf(paymentId: GatewayPaymentId, actor: Actor): Promise<string | null> {
    try {
      const fetched = await this.settlement.fetchAndSettle(paymentId, 'admin', actor);
      if (fetched !== null) return fetched.change && describePaymentChange(fetched.change);
    } catch (error) {
      if (!(error instanceof GatewayUnavailable)) throw error;
    }
    return recordedChange(await this.queries.reported(paymentId));
  }

  private async refuseSettled(known: PaymentOutcome, actor: Actor): Promise<never> {
    const { outcome, gamerId, paymentId } = known;
    const change = await this.changeOf(paymentId, actor);
    if (outcome === 'rejected') throw new Refused({ code: 'deposit-settled', parameters: { status: outcome } });
    const gamerTag = await this.tagOf(gamerId);
    throw new Refused({ code: 'payment-already-credited', parameters: { gamerTag, change } });
  }

  private async settle(paymentId: GatewayPaymentId, actor: Actor) {
    const fetched = await this.settlement.fetchAndSettle(paymentId, 'admin', actor).catch((error: unknown) => {
      throw error instanceof GatewayUnavailable ? new Refused('gateway-unavailable') : error;
    });
    if (fetched === null) throw new Refused('payment-not-found');
    const deposit = await this.queries.outcomeOf({ paymentId });
    const { gatewayStatus: status, payCurrency } = fetched.payment;
    if (deposit === null) throw new Refused({ code: 'payment-unpaid', parameters: { status } });
    return { deposit, change: null, details: detailsOf(deposit, status, payCurrency) };
  }

  private async creditedResponse(
    position: string,
    { gamerId, amountCents }: PaymentOutcome,
    details: http.PaymentDetails,
  ) {
    const message = `${formatCents(amountCents)} was credited to ${await this.tagOf(gamerId)}`;
    return new WithPosition(position, {
      success: true,
      requiresGamerTag: false,
      recordedGamerTag: null,
      change: null,
      paymentDetails: details,
      message,
    });
  }

  /** @param obstacle why the named gamer is not credited, as a sentence */
  private async waitingResponse(
    { gamerId, reason }: PaymentOutcome,
    paymentDetails: http.PaymentDetails,
    change: string | null,
    obstacle?: string,
  ) {
    const requiresGamerTag = gamerId === null;
    const recordedGamerTag = requiresGamerTag ? null : await this.tagOf(gamerId);
    const nextStep = requiresGamerTag
      ? refusalText({ code: 'gamer-tag-required' })
      : 'It waits among the pending deposits for your approval';
    const message = [reason && describeReviewReason(reason), change, obstacle ?? nextStep].filter(Boolean).join('. ');
    const response = { success: false, requiresGamerTag, recordedGamerTag, change, paymentDetails, message };
    return new WithPosition(this.ledger.committed.position, response);
  }

  private async tagOf(gamerId: GamerId | null): Promise<string> {
    if (gamerId === null) return TAG_OF_DELETED;
    return (await this.accounts.tagsOf([gamerId])).get(gamerId) ?? TAG_OF_DELETED;
  }
}

const DECIDE_AGAIN = 'Assign it again if it is to be credited all the same';

/** `status`: the gateway's own, or the ledger's outcome of a payment known before. The ledger does not hold the coin of bought tokens. */
function detailsOf(
  { paymentId, amountCents, cryptoType }: PaymentOutcome,
  status: string,
  payCurrency = '',
): http.PaymentDetails {
  const coin = cryptoType ?? payCurrency.toUpperCase();
  if (!isCryptoType(coin)) throw new Error(`payment ${paymentId} came in the unsupported coin ${coin}`);
  return { amount: fromUnits(BigInt(amountCents), 2), cryptoType: coin, status };
}
