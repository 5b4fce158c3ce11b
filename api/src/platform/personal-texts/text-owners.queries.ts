import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import type { DepositId, GamerId, WithdrawalId } from '../../../../contracts/ids.js';
import * as views from '../../../../projections/src/views/tables.entity.js';
import { Refused } from '../failures.js';

/** The gamers whom the admin's texts are about; null for none. The results never change, so a repeated command is the same. */
@Injectable()
export class TextOwnersQueries {
  constructor(private readonly tables: EntityManager) {}

  /** The gamer who requested a withdrawal; null for the operator's own. Throws Refused for an unknown withdrawal. */
  async ofWithdrawal(id: WithdrawalId): Promise<GamerId | null> {
    const withdrawal = await this.tables.findOneBy(views.WithdrawalRow, { id });
    if (withdrawal === null) throw new Refused('withdrawal-not-found');
    return withdrawal.gamerId;
  }

  /** The recorded gamer of a deposit that is not approved. Throws Refused for an unknown deposit. */
  async ofDeposit(depositId: DepositId): Promise<GamerId | null> {
    const deposit = await this.tables.findOneBy(views.DepositRow, { depositId });
    if (deposit === null) throw new Refused('deposit-not-found');
    return deposit.gamerId;
  }

  /** The gamer who was recorded with a deposit, also after it was approved for another: the invoice's. */
  async ofDepositsInvoice(depositId: DepositId): Promise<GamerId | null> {
    const deposit = await this.tables.findOneBy(views.DepositRow, { depositId });
    if (deposit === null) throw new Refused('deposit-not-found');
    const payment = await this.tables.findOneBy(views.GatewayPaymentRow, { paymentId: deposit.paymentId });
    const order = payment && (await this.tables.findOneBy(views.PaymentRow, { orderId: payment.orderId }));
    return order?.gamerId ?? null;
  }
}
