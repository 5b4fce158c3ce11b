import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { ApprovedDeposit, PendingDeposit, RejectedDeposit } from '../../../contracts/http/payments.js';
import type { GatewayPaymentId } from '../../../contracts/ids.js';
import { READ_YOUR_WRITES_WAIT_MS } from '../../../contracts/limits.js';
import { type DepositOutcome, DepositRow } from '../../../projections/src/views/deposits.entity.js';
import { GamerNames } from '../gamers/gamer-names.queries.js';
import { ReadCheckpoint } from '../http/checkpoint.queries.js';
import type { Page } from '../http/page.js';
import { Unavailable } from '../http/refused.js';
import { Ledger } from '../ledger/ledger.js';
import { GatewayPaymentsQueries } from './gateway-payments.queries.js';
import type { LedgerPayment, LedgerPayments } from './ledger-payments.js';
import { reasonInWords } from './payment-words.js';

/** Gateway payments as the ledger has them. */
@Injectable()
export class DepositsQueries implements LedgerPayments {
  constructor(
    @InjectRepository(DepositRow) private readonly deposits: Repository<DepositRow>,
    private readonly names: GamerNames,
    private readonly ledger: Ledger,
    private readonly checkpoint: ReadCheckpoint,
    private readonly gatewayPayments: GatewayPaymentsQueries,
  ) {}

  async find(paymentId: GatewayPaymentId): Promise<LedgerPayment | null> {
    const { position } = this.ledger.committed;
    const isThere = await this.checkpoint.reached(position, READ_YOUR_WRITES_WAIT_MS);
    if (!isThere) throw new Unavailable(`the tables are not yet at ${position}`);
    return this.deposits.findOneBy({ paymentId });
  }

  /** Newest first. */
  async pending(page: Page): Promise<PendingDeposit[]> {
    const rows = await this.page('pending', 'createdAtMs', page);
    const beside = await this.beside(rows);
    return rows.map((row) => waiting(row, beside));
  }

  /** Newest first. */
  async approved(page: Page): Promise<ApprovedDeposit[]> {
    const rows = await this.page('approved', 'settledAtMs', page);
    const beside = await this.beside(rows);
    return rows.map((row) => ({ ...listed(row, beside), approvedAt: need(row.settledAtMs, row) }));
  }

  /** Newest first. */
  async rejected(page: Page): Promise<RejectedDeposit[]> {
    const rows = await this.page('rejected', 'settledAtMs', page);
    const beside = await this.beside(rows);
    return rows.map((row) => ({ ...waiting(row, beside), rejectedAt: need(row.settledAtMs, row) }));
  }

  private page(
    outcome: DepositOutcome,
    by: 'createdAtMs' | 'settledAtMs',
    { page, pageSize }: Page,
  ): Promise<DepositRow[]> {
    return this.deposits.find({
      where: { outcome },
      order: { [by]: 'DESC', paymentId: 'ASC' },
      skip: (page - 1) * pageSize,
      take: pageSize,
    });
  }

  private async beside(rows: readonly DepositRow[]): Promise<Beside> {
    const [nameOf, changes] = await Promise.all([
      this.names.of(rows.flatMap(({ gamerId }) => gamerId ?? [])),
      this.gatewayPayments.changesOf(rows.map(({ paymentId }) => paymentId)),
    ]);
    return {
      tagOf: (gamerId) => (gamerId === null ? null : nameOf(gamerId)),
      changeOf: (paymentId) => changes.get(paymentId) ?? null,
    };
  }
}

/** What the lists show beside the rows. */
interface Beside {
  tagOf(gamerId: string | null): string | null;
  changeOf(paymentId: GatewayPaymentId): string | null;
}

function listed(row: DepositRow, { tagOf, changeOf }: Beside) {
  const { paymentId, amountCents, createdAtMs } = row;
  return {
    id: need(row.depositId, row),
    paymentId,
    gamerTag: tagOf(row.gamerId),
    amountCents,
    cryptoType: need(row.cryptoType, row),
    createdAt: createdAtMs,
    change: changeOf(paymentId),
  };
}

function waiting(row: DepositRow, beside: Beside): PendingDeposit {
  return { ...listed(row, beside), purpose: row.purpose, reason: reasonInWords(need(row.reason, row)) };
}

function need<T>(value: T | null, { paymentId }: DepositRow): T {
  if (value === null) throw new Error(`the deposit of payment ${paymentId} lacks what every deposit has`);
  return value;
}
