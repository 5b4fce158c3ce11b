import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { ApprovedDeposit, PendingDeposit } from '../../../contracts/http/payments.js';
import type { GatewayPaymentId } from '../../../contracts/ids.js';
import { READ_YOUR_WRITES_WAIT_MS } from '../../../contracts/limits.js';
import { DepositRow } from '../../../projections/src/views/deposits.entity.js';
import { GamerNames } from '../gamers/gamer-names.queries.js';
import { ReadCheckpoint } from '../http/checkpoint.queries.js';
import { Unavailable } from '../http/refused.js';
import { Ledger } from '../ledger/ledger.js';
import type { LedgerPayment, LedgerPayments } from './ledger-payments.js';
import { reasonInWords } from './payment-words.js';

interface Page {
  page: number;
  pageSize: number;
}

/** Gateway payments as the ledger has them. */
@Injectable()
export class DepositsQueries implements LedgerPayments {
  constructor(
    @InjectRepository(DepositRow) private readonly deposits: Repository<DepositRow>,
    private readonly names: GamerNames,
    private readonly ledger: Ledger,
    private readonly checkpoint: ReadCheckpoint,
  ) {}

  async find(paymentId: GatewayPaymentId): Promise<LedgerPayment | null> {
    const { position } = this.ledger.committed;
    const isThere = await this.checkpoint.reached(position, READ_YOUR_WRITES_WAIT_MS);
    if (!isThere) throw new Unavailable(`the tables are not yet at ${position}`);
    return this.deposits.findOneBy({ paymentId });
  }

  /** Newest first. */
  async pending({ page, pageSize }: Page): Promise<PendingDeposit[]> {
    const rows = await this.deposits.find({
      where: { outcome: 'pending' },
      order: { createdAtMs: 'DESC', paymentId: 'ASC' },
      skip: (page - 1) * pageSize,
      take: pageSize,
    });
    const tagOf = await this.tagsOf(rows);
    return rows.map((row) => ({
      ...listed(row, tagOf),
      purpose: row.purpose,
      reason: reasonInWords(need(row.reason, row)),
    }));
  }

  /** Newest first. */
  async approved({ page, pageSize }: Page): Promise<ApprovedDeposit[]> {
    const rows = await this.deposits.find({
      where: { outcome: 'approved' },
      order: { settledAtMs: 'DESC', paymentId: 'ASC' },
      skip: (page - 1) * pageSize,
      take: pageSize,
    });
    const tagOf = await this.tagsOf(rows);
    return rows.map((row) => ({ ...listed(row, tagOf), approvedAt: need(row.settledAtMs, row) }));
  }

  private async tagsOf(rows: readonly DepositRow[]): Promise<(gamerId: string | null) => string | null> {
    const nameOf = await this.names.of(rows.flatMap(({ gamerId }) => gamerId ?? []));
    return (gamerId) => (gamerId === null ? null : nameOf(gamerId));
  }
}

function listed(row: DepositRow, tagOf: (gamerId: string | null) => string | null) {
  const { paymentId, amountCents, createdAtMs } = row;
  return {
    id: need(row.depositId, row),
    paymentId,
    gamerTag: tagOf(row.gamerId),
    amountCents,
    cryptoType: need(row.cryptoType, row),
    createdAt: createdAtMs,
  };
}

function need<T>(value: T | null, { paymentId }: DepositRow): T {
  if (value === null) throw new Error(`the deposit of payment ${paymentId} lacks what every deposit has`);
  return value;
}
