import { Injectable } from '@nestjs/common';
import { EntityManager, In, MoreThan } from 'typeorm';
import { DAY_MS } from '../../../../contracts/durations.js';
import type { AdminGamersResponse, GamerProfile } from '../../../../contracts/http/gamers.js';
import type { GamerId, NamedGamer } from '../../../../contracts/ids.js';
import { purchaseAccount, winningsAccount } from '../../../../contracts/ledger-accounts.js';
import { BalanceRow, GamerRow, MatrixGamerRow, WinnerRow } from '../../../../projections/src/views/tables.entity.js';
import { type Page, rowsOf } from '../../http/page.js';
import { Refused } from '../../platform/failures.js';

/** The name shown for a gamer who was deleted (decision 38). */
export const NAMELESS = 'deleted-gamer';

export type NameOf = (gamerId: GamerId) => string;

/** The names of gamers in lists; deleted gamers are shown as NAMELESS. */
@Injectable()
export class GamerNames {
  constructor(private readonly tables: EntityManager) {}

  async of(gamerIds: Iterable<GamerId>): Promise<NameOf> {
    const ids = [...new Set(gamerIds)];
    const rows =
      ids.length === 0
        ? []
        : await this.tables.find(GamerRow, { select: { id: true, gamerTag: true }, where: { id: In(ids) } });
    const names = new Map(rows.map(({ id, gamerTag }) => [id, gamerTag]));
    return (gamerId) => names.get(gamerId) ?? NAMELESS;
  }
}

@Injectable()
export class GamersQueries {
  constructor(
    private readonly tables: EntityManager,
    private readonly names: GamerNames,
  ) {}

  /** The gamer's own profile, with balances. Throws Refused for an unknown or deleted gamer. */
  async profile(gamerId: GamerId, nowMs: number): Promise<GamerProfile> {
    const [gamer, figures, newestWin] = await Promise.all([
      this.tables.findOneBy(GamerRow, { id: gamerId }),
      this.figuresOf(gamerId),
      this.tables.findOne(WinnerRow, {
        select: { roundId: true, jackpotCents: true },
        where: { winnerId: gamerId, endedAtMs: MoreThan(nowMs - DAY_MS) },
        order: { endedAtMs: 'DESC' },
      }),
    ]);
    if (!gamer || gamer.gamerTag === null) throw new Refused('gamer-not-found');
    return {
      id: gamer.id,
      gamerTag: gamer.gamerTag,
      email: gamer.email ?? '',
      refCode: gamer.refCode ?? '',
      isDepositor: isActiveDepositor(gamer, nowMs),
      depositorExpiresAt: gamer.depositorUntilMs,
      ...figures,
      newestWin,
    };
  }

  /** One statement, so that all figures are from the same point in the ledger and add up. */
  private async figuresOf(gamerId: GamerId): Promise<Pick<GamerProfile, 'wallet' | 'balances'>> {
    const [row] = await this.tables.query<
      Record<'purchase' | 'winnings' | 'won' | 'paid' | 'released' | 'reserved', number>[]
    >(
      `SELECT coalesce((SELECT cents FROM read.balances WHERE account = $2), 0)::float8 AS purchase,
         coalesce((SELECT cents FROM read.balances WHERE account = $3), 0)::float8 AS winnings,
         coalesce((SELECT total_winnings_cents FROM read.gamer_totals WHERE gamer_id = $1), 0)::float8 AS won,
         coalesce((SELECT withdrawals_paid_cents FROM read.gamer_totals WHERE gamer_id = $1), 0)::float8 AS paid,
         coalesce((SELECT released_cents FROM read.gamer_totals WHERE gamer_id = $1), 0)::float8 AS released,
         coalesce((SELECT sum(amount_cents) FROM read.withdrawals
           WHERE gamer_id = $1 AND status IN ('pending', 'processing')), 0)::float8 AS reserved`,
      [gamerId, purchaseAccount(gamerId), winningsAccount(gamerId)],
    );
    const { purchase, winnings, won, paid, released, reserved } = row!;
    return {
      wallet: { purchaseBalanceCents: purchase },
      balances: {
        personalWithdrawalsPaidCents: paid,
        currentWinningsCents: winnings,
        totalWinningsCents: won,
        reservedCents: reserved,
        releasedCents: released,
        // The account of the winnings has no other postings.
        transferredCents: won - paid - reserved - winnings + released,
      },
    };
  }

  /** Gamers whose tag or email contains `text`, or whose id it is, by tag, without the admin. */
  async search(text: string, page: Page, nowMs: number): Promise<AdminGamersResponse> {
    const { skip, take } = rowsOf(page);
    const [rows, total] = await this.tables
      .createQueryBuilder(GamerRow, 'gamer')
      .where("gamer.gamerTag IS NOT NULL AND gamer.role IS DISTINCT FROM 'admin'")
      .andWhere('(gamer.gamerTag ILIKE :pattern OR gamer.email ILIKE :pattern OR gamer.id = :text)')
      .setParameters({ pattern: containing(text), text })
      .orderBy('lower(gamer.gamerTag)')
      .addOrderBy('gamer.id')
      .offset(skip)
      .limit(take)
      .getManyAndCount();
    const ids = rows.map(({ id }) => id);
    const centsOf = await this.balancesOf(ids);
    const sponsorOf = await this.sponsorsOf(ids);
    const gamers = rows.map((row) => ({
      id: row.id,
      gamerTag: row.gamerTag ?? '',
      email: row.email ?? '',
      isDepositor: isActiveDepositor(row, nowMs),
      depositorExpiresAt: row.depositorUntilMs,
      purchaseBalance: centsOf(purchaseAccount(row.id)),
      currentWinnings: centsOf(winningsAccount(row.id)),
      role: row.role === 'auditor' || row.role === 'operator' ? row.role : ('gamer' as const),
      powers: row.powers,
      sponsor: sponsorOf(row.id),
    }));
    return { gamers, total };
  }

  private async sponsorsOf(gamerIds: GamerId[]): Promise<(gamerId: GamerId) => NamedGamer | null> {
    const rows = await this.tables.findBy(MatrixGamerRow, { id: In(gamerIds) });
    const sponsors = new Map(rows.map(({ id, sponsorId }) => [id, sponsorId]));
    const nameOf = await this.names.of(rows.flatMap(({ sponsorId }) => sponsorId ?? []));
    return (gamerId) => {
      const id = sponsors.get(gamerId);
      return id ? { id, gamerTag: nameOf(id) } : null;
    };
  }

  /** Looks up the balance of an account of these gamers, in cents; 0 for an account without postings. */
  private async balancesOf(gamerIds: GamerId[]): Promise<(account: string) => number> {
    const accounts = gamerIds.flatMap((id) => [purchaseAccount(id), winningsAccount(id)]);
    const rows = accounts.length === 0 ? [] : await this.tables.findBy(BalanceRow, { account: In(accounts) });
    const cents = new Map(rows.map((row) => [row.account, row.cents]));
    return (account) => cents.get(account) ?? 0;
  }
}

/** Active up to and including the time of expiry (decision 7). */
const isActiveDepositor = ({ depositorUntilMs }: GamerRow, nowMs: number): boolean =>
  depositorUntilMs !== null && nowMs <= depositorUntilMs;

/** An ILIKE pattern that matches the text literally. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
