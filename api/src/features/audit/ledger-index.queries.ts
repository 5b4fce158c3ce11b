import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { LedgerEventType } from '../../../../contracts/events/ledger-events.js';
import type { AuditRound } from '../../../../contracts/http/audit.js';
import type { RoundId } from '../../../../contracts/ids.js';
import { MAX_ROUNDS_MARKED } from '../../../../contracts/limits.js';
import { emptyTrialBalance } from '../../../../domain/ledger/trial-balance.js';
import { EventByTypeRow, LedgerRoundRow, TrialBalanceRow } from '../../../../projections/src/views/tables.entity.js';
import type { RevisionRange } from './raw-events.js';

/** Nearly every ledger event is one of these two, so the table `ledger_events_by_type` leaves them out. */
const NOT_INDEXED: ReadonlySet<LedgerEventType> = new Set<LedgerEventType>(['TokenPurchased', 'TimeExtended']);

export const isIndexedType = (type: LedgerEventType | undefined): type is LedgerEventType =>
  type !== undefined && !NOT_INDEXED.has(type);

/** Revisions of events and rounds in the ledger, as far as the read model has come. The events themselves are in the log. */
@Injectable()
export class LedgerIndexQueries {
  constructor(private readonly database: DataSource) {}

  /** The trial balance after the newest event; null before the first event. */
  newest(): Promise<TrialBalanceRow | null> {
    return this.database.manager.findOne(TrialBalanceRow, { where: {}, order: { revision: 'DESC' } });
  }

  oldest(): Promise<TrialBalanceRow | null> {
    return this.database.manager.findOne(TrialBalanceRow, { where: {}, order: { revision: 'ASC' } });
  }

  /** Number of the newest event; 0 before the first. */
  async lastNumber(): Promise<number> {
    const [row] = await this.database.query<{ revision: string | null }[]>(
      'SELECT max(revision) AS revision FROM read.ledger_trial_balances',
    );
    return row?.revision == null ? 0 : Number(row.revision) + 1;
  }

  /** The nearest saved trial balance at or before a revision; the empty one when none is saved. */
  async trialBalanceBefore(revision: number): Promise<TrialBalanceRow> {
    const row = await this.database.manager
      .createQueryBuilder(TrialBalanceRow, 'saved')
      .where('saved.revision <= :revision', { revision })
      .orderBy('saved.revision', 'DESC')
      .limit(1)
      .getOne();
    return row ?? { revision: -1, atMs: 0, trialBalance: emptyTrialBalance() };
  }

  /** A round's revisions, to the end of the ledger while it is open; null for an unknown round. */
  async rangeOfRound(roundId: RoundId): Promise<RevisionRange | null> {
    const row = await this.database.manager.findOneBy(LedgerRoundRow, { roundId });
    return row && { from: row.firstRevision, to: row.lastRevision ?? Number.MAX_SAFE_INTEGER };
  }

  /** The round's revisions if it ended, won or not; null otherwise. Only then the log holds its Merkle root. */
  async rangeOfEndedRound(roundId: RoundId): Promise<RevisionRange | null> {
    const range = await this.rangeOfRound(roundId);
    if (range === null) return null;
    const last = await this.database.manager.findOneBy(EventByTypeRow, { revision: range.to });
    return last?.type === 'RoundEnded' ? range : null;
  }

  /** The newest ended rounds, oldest first. */
  async endedRounds(): Promise<AuditRound[]> {
    const rows = await this.database.manager
      .createQueryBuilder(LedgerRoundRow, 'round')
      .where('round.lastRevision IS NOT NULL')
      .orderBy('round.roundId', 'DESC')
      .limit(MAX_ROUNDS_MARKED)
      .getMany();
    return rows.reverse().map(({ roundId, lastRevision, endedAtMs }) => ({
      roundId,
      endedNumber: (lastRevision as number) + 1,
      endedAtEpochMs: endedAtMs as number,
    }));
  }

  /** Revisions between which all events of these times lie; up to a saved trial balance more at either end. */
  async rangeOfTimes(startMs: number, endMs: number): Promise<RevisionRange> {
    const [row] = await this.database.query<{ from: string | null; to: string | null }[]>(
      `SELECT max(revision) FILTER (WHERE at_ms < $1) AS from,
         coalesce(min(revision) FILTER (WHERE at_ms >= $2), max(revision)) AS to FROM read.ledger_trial_balances`,
      [startMs, endMs],
    );
    return { from: row?.from == null ? 0 : Number(row.from) + 1, to: row?.to == null ? -1 : Number(row.to) };
  }

  /** The newest revisions of these indexed types in a range, newest first. */
  async ofTypes(types: readonly LedgerEventType[], { from, to }: RevisionRange, limit: number): Promise<number[]> {
    // Each type's part reads its index from the newest entry.
    const rows = await this.database.query<{ revision: string }[]>(
      `SELECT found.revision FROM unnest($1::text[]) AS wanted (type) CROSS JOIN LATERAL (
         SELECT one.revision FROM read.ledger_events_by_type AS one
         WHERE one.type = wanted.type AND one.revision BETWEEN $2 AND $3 ORDER BY one.revision DESC LIMIT $4) AS found
       ORDER BY found.revision DESC LIMIT $4`,
      [types, from, to, limit],
    );
    return rows.map(({ revision }) => Number(revision));
  }

  /** The newest revisions of an indexed type in a range, newest first. */
  async ofIndexedType(type: LedgerEventType, { from, to }: RevisionRange, limit: number): Promise<number[]> {
    const rows = await this.database.query<{ revision: string }[]>(
      `SELECT revision FROM read.ledger_events_by_type WHERE type = $1 AND revision BETWEEN $2 AND $3
       ORDER BY revision DESC LIMIT $4`,
      [type, from, to, limit],
    );
    return rows.map(({ revision }) => Number(revision));
  }
}
