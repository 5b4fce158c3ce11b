import { Injectable } from '@nestjs/common';
import { EntityManager, In, MoreThan } from 'typeorm';
import { DAY_MS } from '../../../../contracts/durations.js';
import type { AdminGamerRow, AdminGamersResponse, GamerProfile } from '../../../../contracts/http/gamers.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { purchaseAccount, winningsAccount } from '../../../../contracts/ledger-accounts.js';
import { GamerRow, WinnerRow } from '../../../../projections/src/views/tables.entity.js';
import { type Page, skipTakeOf } from '../../http/page.js';
import { Refused } from '../../platform/failures.js';

/** Shown in place of a deleted gamer's GamerTag (decision 38). */
export const TAG_OF_DELETED = 'deleted-gamer';

export type TagOf = (gamerId: GamerId) => string;

type Balances = GamerProfile['balances'];

@Injectable()
export class GamerTags {
  constructor(private readonly tables: EntityManager) {}

  async of(gamerIds: Iterable<GamerId>): Promise<TagOf> {
    const ids = [...new Set(gamerIds)];
    if (ids.length === 0) return () => TAG_OF_DELETED;
    const rows = await this.tables.find(GamerRow, { select: { id: true, gamerTag: true }, where: { id: In(ids) } });
    const tags = new Map(rows.map(({ id, gamerTag }) => [id, gamerTag]));
    return (gamerId) => tags.get(gamerId) ?? TAG_OF_DELETED;
  }
}

@Injectable()
export class GamersQueries {
  constructor(private readonly tables: EntityManager) {}

  /** A gamer's profile with balances, for the gamer and the admin. Throws Refused for an unknown or deleted gamer. */
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
      isDepositor: isActiveDepositor(gamer.depositorUntilMs, nowMs),
      depositorExpiresAt: gamer.depositorUntilMs,
      ...figures,
      newestWin,
    };
  }

  /** One statement, so that all figures are from the same point in the ledger and add up. */
  private async figuresOf(gamerId: GamerId): Promise<Pick<GamerProfile, 'wallet' | 'balances'>> {
    const [row] = await this.tables.query<(GamerProfile['wallet'] & Omit<Balances, 'transferredCents'>)[]>(
      `SELECT coalesce((SELECT cents FROM read.balances WHERE account = $2), 0)::float8 AS "purchaseBalanceCents",
         coalesce((SELECT cents FROM read.balances WHERE account = $3), 0)::float8 AS "currentWinningsCents",
         coalesce(total_winnings_cents, 0)::float8 AS "totalWinningsCents",
         coalesce(withdrawals_paid_cents, 0)::float8 AS "personalWithdrawalsPaidCents",
         coalesce(released_cents, 0)::float8 AS "releasedCents",
         coalesce((SELECT sum(amount_cents) FROM read.withdrawals
           WHERE gamer_id = $1 AND status IN ('pending', 'processing')), 0)::float8 AS "reservedCents"
       FROM (SELECT $1::text AS gamer_id) AS gamer LEFT JOIN read.gamer_totals USING (gamer_id)`,
      [gamerId, purchaseAccount(gamerId), winningsAccount(gamerId)],
    );
    const { purchaseBalanceCents, ...balances } = row!;
    const leftCents = balances.personalWithdrawalsPaidCents + balances.reservedCents + balances.currentWinningsCents;
    // The account of the winnings has no other postings.
    const transferredCents = balances.totalWinningsCents + balances.releasedCents - leftCents;
    return { wallet: { purchaseBalanceCents }, balances: { ...balances, transferredCents } };
  }

  /** Gamers whose tag or email contains `text`, or whose id it is, by tag, without the admin. */
  async search(text: string, page: Page, nowMs: number): Promise<AdminGamersResponse> {
    const { skip, take } = skipTakeOf(page);
    const found = `FROM read.gamers WHERE gamer_tag IS NOT NULL AND role IS DISTINCT FROM 'admin'
      AND (gamer_tag ILIKE $1 OR email ILIKE $1 OR id = $2)`;
    const parameters = [containing(text), text];
    const rows = await this.tables.query<Omit<AdminGamerRow, 'isDepositor'>[]>(
      `SELECT gamer.id, gamer.gamer_tag AS "gamerTag", coalesce(gamer.email, '') AS email, gamer.powers,
         gamer.depositor_until_ms::float8 AS "depositorExpiresAt",
         ${balanceOf(purchaseAccount)} AS "purchaseBalance",
         ${balanceOf(winningsAccount)} AS "currentWinnings",
         CASE WHEN gamer.role IN ('auditor', 'operator') THEN gamer.role ELSE 'gamer' END AS role,
         (SELECT jsonb_build_object('id', sponsor_id, 'gamerTag', coalesce(sponsor.gamer_tag, $5))
           FROM read.matrix_gamers AS place LEFT JOIN read.gamers AS sponsor ON sponsor.id = sponsor_id
           WHERE place.id = gamer.id AND sponsor_id IS NOT NULL) AS sponsor
       FROM (SELECT * ${found} ORDER BY lower(gamer_tag), id OFFSET $3 LIMIT $4) AS gamer
       ORDER BY lower(gamer.gamer_tag), gamer.id`,
      [...parameters, skip, take, TAG_OF_DELETED],
    );
    const [count] = await this.tables.query<{ total: number }[]>(`SELECT count(*)::int AS total ${found}`, parameters);
    const gamers = rows.map((row) => ({ ...row, isDepositor: isActiveDepositor(row.depositorExpiresAt, nowMs) }));
    return { gamers, total: count?.total ?? 0 };
  }
}

/** Active up to and including the time of expiry (decision 7). */
const isActiveDepositor = (untilMs: number | null, nowMs: number): boolean => untilMs !== null && nowMs <= untilMs;

/** SQL for the balance of an account of `gamer`, in cents; 0 for an account without postings. */
const balanceOf = (accountOf: (gamerId: GamerId) => string): string =>
  `coalesce((SELECT cents FROM read.balances WHERE account = '${accountOf("' || gamer.id || '")}'), 0)::float8`;

/** An ILIKE pattern that matches the text literally. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
