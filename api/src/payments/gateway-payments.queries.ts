import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, Not, Repository } from 'typeorm';
import { isCryptoType } from '../../../contracts/crypto.js';
import type { ChangedPayment } from '../../../contracts/http/payments.js';
import type { GatewayPaymentId, OrderId } from '../../../contracts/ids.js';
import { DepositRow } from '../../../projections/src/views/deposits.entity.js';
import { GatewayPaymentRow } from '../../../projections/src/views/payments.entity.js';
import { GamerNames } from '../gamers/gamer-names.queries.js';
import type { Page } from '../http/page.js';
import { changeInWords } from './payment-words.js';

/** Payments as the gateway shows them, beside what became of them here. */
@Injectable()
export class GatewayPaymentsQueries {
  constructor(
    @InjectRepository(GatewayPaymentRow) private readonly payments: Repository<GatewayPaymentRow>,
    @InjectRepository(DepositRow) private readonly deposits: Repository<DepositRow>,
    private readonly names: GamerNames,
  ) {}

  async orderOf(paymentId: GatewayPaymentId): Promise<OrderId | null> {
    return (await this.payments.findOneBy({ paymentId }))?.orderId ?? null;
  }

  /** In words, what the gateway says of each that it did not say when the payment was judged. */
  async changesOf(paymentIds: readonly GatewayPaymentId[]): Promise<Map<GatewayPaymentId, string>> {
    if (paymentIds.length === 0) return new Map();
    const rows = await this.payments.findBy({ paymentId: In([...paymentIds]), changedAtMs: Not(IsNull()) });
    return new Map(rows.map((row) => [row.paymentId, inWords(row)]));
  }

  /** Latest change first. */
  async changed({ page, pageSize }: Page): Promise<ChangedPayment[]> {
    const rows = await this.payments.find({
      where: { changedAtMs: Not(IsNull()), outcome: Not('seen') },
      order: { changedAtMs: 'DESC', paymentId: 'ASC' },
      skip: (page - 1) * pageSize,
      take: pageSize,
    });
    const deposits = await this.deposits.findBy({ paymentId: In(rows.map(({ paymentId }) => paymentId)) });
    const nameOf = await this.names.of(deposits.flatMap(({ gamerId }) => gamerId ?? []));
    const known = new Map(deposits.map((deposit) => [deposit.paymentId, deposit]));
    return rows.map((row) => {
      const { gamerId = null, purpose = 'deposit', cryptoType = null } = known.get(row.paymentId) ?? {};
      return changedPayment(row, { gamerTag: gamerId === null ? null : nameOf(gamerId), purpose, cryptoType });
    });
  }
}

function changedPayment(
  row: GatewayPaymentRow,
  ledgers: Pick<ChangedPayment, 'gamerTag' | 'purpose' | 'cryptoType'>,
): ChangedPayment {
  const { paymentId, outcome, creditedCents, changedAtMs, payCurrency } = row;
  if (outcome === 'seen' || changedAtMs === null) throw new Error(`payment ${paymentId} has not changed`);
  const coin = payCurrency.toUpperCase();
  return {
    paymentId,
    gamerTag: ledgers.gamerTag,
    purpose: ledgers.purpose,
    outcome,
    creditedCents,
    cryptoType: ledgers.cryptoType ?? (isCryptoType(coin) ? coin : null),
    change: inWords(row),
    changedAt: changedAtMs,
  };
}

function inWords({ status, actuallyPaid, payCurrency, judgedStatus, judgedPaid }: GatewayPaymentRow): string {
  const before = { status: judgedStatus ?? status, actuallyPaid: judgedPaid ?? actuallyPaid };
  return changeInWords({ status, actuallyPaid, payCurrency, before });
}
