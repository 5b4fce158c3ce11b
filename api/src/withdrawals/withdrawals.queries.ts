import { Injectable } from '@nestjs/common';
import { EntityManager, type FindOptionsWhere, In, IsNull, Not } from 'typeorm';
import {
  type CryptoWallets,
  type ProfitWithdrawal,
  WITHDRAWALS_LISTED,
  type Withdrawal,
  type WithdrawalList,
} from '../../../contracts/http/withdrawals.js';
import type { GamerId } from '../../../contracts/ids.js';
import { WalletRow, WithdrawalRow } from '../../../projections/src/views/tables.entity.js';
import { GamerNames } from '../accounts/gamer-names.queries.js';
import { type Page, rowsOf } from '../http/page.js';
import { Ledger } from '../ledger/ledger.js';
import { PersonalTexts } from '../personal-texts/personal-texts.js';

/** Shown in place of an address whose row is not as in the ledger: a writer to Postgres must not get a payout. */
export const DO_NOT_PAY = 'Not as in the ledger: do not pay';

/** Withdrawals, newest first, and saved wallet addresses. */
@Injectable()
export class WithdrawalsQueries {
  constructor(
    private readonly tables: EntityManager,
    private readonly names: GamerNames,
    private readonly texts: PersonalTexts,
    private readonly ledger: Ledger,
  ) {}

  /** The withdrawals of all gamers or of one; all of them or one of the two lists. */
  async ofGamers(
    page: Page,
    of: { gamerId?: GamerId; listed?: WithdrawalList | undefined } = {},
  ): Promise<Withdrawal[]> {
    const where: FindOptionsWhere<WithdrawalRow> = { gamerId: of.gamerId ?? Not(IsNull()) };
    if (of.listed) where.status = In(WITHDRAWALS_LISTED[of.listed]);
    const rows = await this.page(where, page);
    const nameOf = await this.names.of(rows.map((row) => row.gamerId ?? ''));
    return rows.map((row) => ({ ...withdrawalOf(row), gamerTag: nameOf(row.gamerId ?? '') }));
  }

  async ofProfit(page: Page): Promise<ProfitWithdrawal[]> {
    return (await this.page({ gamerId: IsNull() }, page)).map(withdrawalOf);
  }

  async walletsOf(gamerId: GamerId): Promise<CryptoWallets> {
    return (await this.tables.findOneBy(WalletRow, { gamerId }))?.addresses ?? {};
  }

  private async page(where: FindOptionsWhere<WithdrawalRow>, page: Page): Promise<WithdrawalRow[]> {
    const order = { createdAtMs: 'DESC', id: 'ASC' } as const;
    return this.texts.open(this.checked(await this.tables.find(WithdrawalRow, { where, order, ...rowsOf(page) })));
  }

  /** Open withdrawals are paid by what their rows say. So each must have the ledger's gamer, amount, coin and address. */
  private checked(rows: WithdrawalRow[]): WithdrawalRow[] {
    const { withdrawals } = this.ledger.decidedState;
    return rows.map((row) => {
      if (row.status !== 'pending' && row.status !== 'processing') return row;
      const decided = withdrawals.get(row.id);
      const isAsInLedger =
        decided?.gamerId === row.gamerId &&
        decided.amountCents === row.amountCents &&
        decided.cryptoType === row.cryptoType &&
        // Sealed or plain: the row has the very text of the event.
        decided.walletAddress === row.walletAddress;
      return isAsInLedger ? row : { ...row, walletAddress: DO_NOT_PAY };
    });
  }
}

function withdrawalOf({ gamerId: _, createdAtMs, processedAtMs, heldUntilMs, ...row }: WithdrawalRow) {
  return { ...row, createdAt: createdAtMs, processedAt: processedAtMs, heldUntil: heldUntilMs };
}
