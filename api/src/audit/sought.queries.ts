import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { LedgerEventType } from '../../../contracts/events/ledger-events.js';
import type { RecordedLedgerEvent } from '../../../contracts/events/recorded.js';
import type { GamerId } from '../../../contracts/ids.js';
import { type LedgerAccount, purchaseAccount, winningsAccount } from '../../../contracts/ledger-accounts.js';
import { ledgerKeyOf } from '../../../projections/src/views/ledger-index.entity.js';
import { isRare } from './rare.js';
import type { Stretch } from './raw-events.js';

/** Shorter beginnings are of too many keys to be anybody's meaning. */
const PREFIX_MIN_LENGTH = 4;
const AFTER_EVERY_LETTER = '\u{10ffff}';

/** What a text that an auditor looks for may mean, all at once. */
export interface Sought {
  text: string;
  /** The revision of the event with that number. */
  revision: number | null;
  /** Of gamers of that tag or id. */
  accounts: LedgerAccount[];
  /** Whole ones: the text's own, and the ids of the gamers. */
  keys: string[];
  /** The beginning of keys; null when the text is too short, or a number. */
  prefix: string | null;
}

/** Looks for events by what somebody typed: a number, a gamer, or the beginning of an id, an address or a hash. */
@Injectable()
export class SoughtQueries {
  constructor(private readonly database: DataSource) {}

  async meaningOf(text: string): Promise<Sought> {
    const lower = text.toLowerCase();
    const gamerIds = await this.gamersCalled(text);
    const number = /^[\d,]+$/.test(text) ? Number(text.replaceAll(',', '')) : null;
    const isPrefix = number === null && lower.length >= PREFIX_MIN_LENGTH;
    return {
      text: lower,
      revision: number !== null && Number.isSafeInteger(number) ? number - 1 : null,
      accounts: gamerIds.flatMap((id) => [purchaseAccount(id), winningsAccount(id)]),
      keys: [text, ...gamerIds].map(ledgerKeyOf),
      prefix: isPrefix ? lower : null,
    };
  }

  /** Gamers of that tag or that id, by tag first: one's tag may be another's id. */
  async gamersCalled(text: string): Promise<GamerId[]> {
    const rows = await this.database.query<{ id: GamerId }[]>(
      'SELECT id FROM read.gamers WHERE lower(gamer_tag) = $1 OR id = $1 ORDER BY gamer_tag IS NULL OR lower(gamer_tag) <> $1',
      [text.toLowerCase()],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * The newest revisions in a stretch that may be meant, newest first. Each part walks its index from the newest on, so a
   * gamer of a million purchases is found as fast as one of ten. Of the common types the index does not tell which.
   */
  async revisions(sought: Sought, type: LedgerEventType | undefined, { from, to }: Stretch, limit: number) {
    const rare = 'SELECT FROM read.ledger_rare AS rare WHERE rare.revision = one.revision';
    const ofType = isRare(type) ? `AND EXISTS (${rare} AND rare.type = $8)` : `AND NOT EXISTS (${rare})`;
    const newest = `one.revision BETWEEN $1 AND $2 ${type ? ofType : ''} ORDER BY one.revision DESC LIMIT $3`;
    const rows = await this.database.query<{ revision: string }[]>(
      `SELECT $4::bigint AS revision WHERE $4 BETWEEN $1 AND $2
       UNION SELECT found.revision FROM unnest($5::text[]) AS wanted (account) CROSS JOIN LATERAL (
         SELECT one.revision FROM read.journal AS one WHERE one.account = wanted.account AND ${newest}) AS found
       UNION SELECT found.revision FROM unnest($6::text[]) AS wanted (key) CROSS JOIN LATERAL (
         SELECT one.revision FROM read.ledger_keys AS one WHERE one.key = wanted.key AND ${newest}) AS found
       UNION (SELECT one.revision FROM read.ledger_keys AS one
         WHERE one.key >= $7::text AND one.key < $7::text || '${AFTER_EVERY_LETTER}' AND ${newest})
       ORDER BY revision DESC LIMIT $3`,
      [from, to, limit, sought.revision, sought.accounts, sought.keys, sought.prefix, ...(isRare(type) ? [type] : [])],
    );
    return rows.map(({ revision }) => Number(revision));
  }
}

/** Whether an event that the index names bears the whole text: the index knows only its beginning. */
export function bears(one: RecordedLedgerEvent, { text }: Sought): boolean {
  return ledgerKeyOf(text) === text || isIn(one, text);
}

function isIn(value: unknown, text: string): boolean {
  if (typeof value === 'string') return value.toLowerCase().startsWith(text);
  return typeof value === 'object' && value !== null && Object.values(value).some((part) => isIn(part, text));
}
