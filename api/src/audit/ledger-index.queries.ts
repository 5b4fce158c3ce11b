import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { LedgerEventType } from '../../../contracts/events/ledger-events.js';
import type { AuditRound } from '../../../contracts/http/audit.js';
import type { RoundId } from '../../../contracts/ids.js';
import { MAX_ROUNDS_MARKED } from '../../../contracts/limits.js';
import { emptyBooks } from '../../../domain/books.js';
import { LedgerBooksRow, LedgerRareRow, LedgerRoundRow } from '../../../projections/src/views/ledger-index.entity.js';
import type { Stretch } from './raw-events.js';

/** Where in the ledger things stand, as far as the tables have seen it; the events themselves are in the log. */
@Injectable()
export class LedgerIndexQueries {
  constructor(private readonly database: DataSource) {}

  /** The books after the newest event; null before the first. */
  newest(): Promise<LedgerBooksRow | null> {
    return this.database.manager.findOne(LedgerBooksRow, { where: {}, order: { revision: 'DESC' } });
  }

  oldest(): Promise<LedgerBooksRow | null> {
    return this.database.manager.findOne(LedgerBooksRow, { where: {}, order: { revision: 'ASC' } });
  }

  /** Of the newest event; 0 before the first. */
  async lastNumber(): Promise<number> {
    const [row] = await this.database.query<{ revision: string | null }[]>(
      'SELECT max(revision) AS revision FROM read.ledger_books',
    );
    return row?.revision == null ? 0 : Number(row.revision) + 1;
  }

  /** The nearest books kept at or before a revision: empty ones, of before the first event, when there are none. */
  async booksBefore(revision: number): Promise<LedgerBooksRow> {
    const row = await this.database.manager
      .createQueryBuilder(LedgerBooksRow, 'kept')
      .where('kept.revision <= :revision', { revision })
      .orderBy('kept.revision', 'DESC')
      .limit(1)
      .getOne();
    return row ?? { revision: -1, atMs: 0, books: emptyBooks() };
  }

  /** A round's own stretch, to the end of the ledger while it is open; null when there was no such round. */
  async stretchOfRound(roundId: RoundId): Promise<Stretch | null> {
    const row = await this.database.manager.findOneBy(LedgerRoundRow, { roundId });
    return row && { from: row.firstRevision, to: row.lastRevision ?? Number.MAX_SAFE_INTEGER };
  }

  /** The round's stretch when it came to its end, won or not: only then the log holds its Merkle root. */
  async stretchOfEnded(roundId: RoundId): Promise<Stretch | null> {
    const stretch = await this.stretchOfRound(roundId);
    if (stretch === null) return null;
    const last = await this.database.manager.findOneBy(LedgerRareRow, { revision: stretch.to });
    return last?.type === 'RoundEnded' ? stretch : null;
  }

  /** Oldest first; of more than are marked the newest. */
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

  /** The newest revisions of a rare type in a stretch, newest first. */
  async ofRareType(type: LedgerEventType, { from, to }: Stretch, limit: number): Promise<number[]> {
    const rows = await this.database.query<{ revision: string }[]>(
      `SELECT revision FROM read.ledger_rare WHERE type = $1 AND revision BETWEEN $2 AND $3
       ORDER BY revision DESC LIMIT $4`,
      [type, from, to, limit],
    );
    return rows.map(({ revision }) => Number(revision));
  }
}
