import { Injectable } from '@nestjs/common';
import { EntityManager, type FindOptionsWhere, In, IsNull, MoreThan, Not } from 'typeorm';
import type { CryptoType } from '../../../../contracts/crypto.js';
import { DAY_MS } from '../../../../contracts/durations.js';
import { SYSTEM } from '../../../../contracts/events/metadata.js';
import type { ProfitWithdrawal } from '../../../../contracts/http/profits.js';
import * as http from '../../../../contracts/http/withdrawals.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { paidScript } from '../../../../contracts/paid-script.js';
import { acceptedLosses, lossHoldingPayouts } from '../../../../domain/history-loss.js';
import { WalletRow, WithdrawalRow } from '../../../../projections/src/views/tables.entity.js';
import { type Page, skipTakeOf } from '../../http/page.js';
import { ReadCheckpoint } from '../../http/read-checkpoint.queries.js';
import { Ledger } from '../../ledger/ledger.js';
import { Clock } from '../../platform/clock.js';
import { Refused } from '../../platform/failures.js';
import { PersonalTexts } from '../../platform/personal-texts.store.js';
import { GamerTags } from '../gamers/gamers.queries.js';

const ADDRESS_COLUMNS = { id: true, gamerId: true, cryptoType: true, walletAddress: true } as const;

type Address = Pick<WithdrawalRow, 'gamerId' | 'cryptoType' | 'walletAddress'>;
const addressKey = ({ gamerId, cryptoType, walletAddress }: Address): string =>
  JSON.stringify([gamerId, cryptoType, paidScript(cryptoType, walletAddress)]);

export type PaidWithdrawal = Pick<WithdrawalRow, 'id' | 'txid' | 'cryptoType' | 'walletAddress'>;

@Injectable()
export class WithdrawalsQueries {
  constructor(
    private readonly tables: EntityManager,
    private readonly tags: GamerTags,
    private readonly texts: PersonalTexts,
    private readonly ledger: Ledger,
    private readonly clock: Clock,
    private readonly checkpoint: ReadCheckpoint,
  ) {}

  async ofGamers(
    page: Page,
    filter: { gamerId?: GamerId; listed?: http.WithdrawalList | undefined } = {},
  ): Promise<http.Withdrawal[]> {
    const where: FindOptionsWhere<WithdrawalRow> = { gamerId: filter.gamerId ?? Not(IsNull()) };
    if (filter.listed) where.status = In(http.WITHDRAWALS_LISTED[filter.listed]);
    const rows = await this.page(where, page);
    const tagOf = await this.tags.of(rows.flatMap(({ gamerId, settledBy }) => [gamerId ?? '', settledBy ?? '']));
    const tagOfSettler = (id: GamerId) => (id === SYSTEM.id ? 'the gateway' : tagOf(id));
    const open = rows.filter(http.isOpen);
    const paid = await this.paidAddresses(open.map((row) => row.gamerId ?? ''));
    const lostAtMs = this.ledger.ask(acceptedLosses).at(-1)?.atMs ?? 0;
    return rows.map((row) => ({
      ...responseOf(row),
      gamerId: row.gamerId ?? '',
      gamerTag: tagOf(row.gamerId ?? ''),
      isNewAddress: http.isOpen(row) && !paid.has(addressKey(row)),
      isBeforeLoss: http.isOpen(row) && row.createdAtMs <= lostAtMs,
      settledBy: filter.gamerId === undefined && row.settledBy !== null ? tagOfSettler(row.settledBy) : null,
      ...(filter.gamerId !== undefined && { payoutBatchId: null, payoutFailure: null }),
    }));
  }

  async ofProfit(page: Page): Promise<ProfitWithdrawal[]> {
    return (await this.page({ gamerId: IsNull() }, page)).map(responseOf);
  }

  /** All open withdrawals, oldest first; without a GamerTag they are of `house:profit`. */
  async open() {
    const where = { status: In(http.WITHDRAWALS_LISTED.pending) };
    const rows = await this.texts.decrypt(
      await this.tables.find(WithdrawalRow, { where, order: { createdAtMs: 'ASC', id: 'ASC' } }),
    );
    const tagOf = await this.tags.of(rows.map((row) => row.gamerId ?? ''));
    return rows.map((row) => ({ ...responseOf(row), gamerTag: row.gamerId && tagOf(row.gamerId) }));
  }

  /** Returns the times of these withdrawals' requests, epoch ms by id, as far as the tables have them. */
  async createdAtMsOf(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.tables.findBy(WithdrawalRow, { id: In(ids) });
    return new Map(rows.map(({ id, createdAtMs }) => [id, createdAtMs]));
  }

  async paidSince(epochMs: number): Promise<PaidWithdrawal[]> {
    const where = { status: 'completed', txid: Not(IsNull()), settledAtMs: MoreThan(epochMs) } as const;
    return this.texts.decrypt(await this.tables.findBy(WithdrawalRow, where));
  }

  /** Refuses a pasted transaction id of the last thirty days. While payouts are held, one transaction may have paid several. */
  async mustBeNewTransaction(txid: string | null, withdrawalId: string): Promise<void> {
    if (txid === null || this.ledger.ask(lossHoldingPayouts)) return;
    await this.checkpoint.mustReach(this.ledger.committed.position, ['withdrawals']);
    const paid = await this.paidSince(this.clock.now() - 30 * DAY_MS);
    const isUsed = paid.some((row) => row.id !== withdrawalId && row.txid?.toLowerCase() === txid.toLowerCase());
    if (isUsed) throw new Refused('transaction-id-used');
  }

  async walletsOf(gamerId: GamerId): Promise<http.CryptoWallets> {
    return (await this.tables.findOneBy(WalletRow, { gamerId }))?.addresses ?? {};
  }

  async isNewAddress(gamerId: GamerId, address: { cryptoType: CryptoType; walletAddress: string }): Promise<boolean> {
    return !(await this.paidAddresses([gamerId])).has(addressKey({ ...address, gamerId }));
  }

  private async paidAddresses(gamerIds: GamerId[]): Promise<Set<string>> {
    const where = { gamerId: In(gamerIds), status: 'completed' } as const;
    const paid = gamerIds.length > 0 ? await this.tables.find(WithdrawalRow, { where, select: ADDRESS_COLUMNS }) : [];
    return new Set((await this.texts.decrypt(paid)).map(addressKey));
  }

  private async page(where: FindOptionsWhere<WithdrawalRow>, page: Page): Promise<WithdrawalRow[]> {
    const order = { createdAtMs: 'DESC', id: 'ASC' } as const;
    return this.texts.decrypt(await this.tables.find(WithdrawalRow, { where, order, ...skipTakeOf(page) }));
  }
}

function responseOf({ gamerId: _, settledBy: __, createdAtMs, settledAtMs, ...row }: WithdrawalRow) {
  return { ...row, createdAt: createdAtMs, processedAt: settledAtMs };
}
