import { IsIn, IsNotEmpty } from 'class-validator';
import type { LedgerEventType } from '../../../../contracts/events/ledger-events.js';
import { LEDGER_EVENT_TYPES } from '../../../../contracts/http/audit.js';
import { STATEMENT_ACCOUNTS, type StatementAccount } from '../../../../contracts/http/statements.js';
import type { RoundId } from '../../../../contracts/ids.js';
import * as limits from '../../../../contracts/limits.js';
import type { NewYorkDay } from '../../../../contracts/new-york.js';
import { Page } from '../../http/page.js';
import { optionalNumber, optionalOneOf, optionalQuery } from '../../http/validation.js';

/** The greatest round number that the read models can hold. */
const MAX_ROUND = 2_147_483_647;

export class LedgerQuery {
  @optionalNumber(Number.MAX_SAFE_INTEGER, 'before must be the number of an event') before?: number;
  @optionalNumber(limits.MAX_PAGE_SIZE, `count must be a whole number from 1 to ${limits.MAX_PAGE_SIZE}`)
  count: number = limits.AUDIT_PAGE_SIZE;
  @optionalOneOf(LEDGER_EVENT_TYPES, 'type must be the type of an event of the ledger') type?: LedgerEventType;
  @optionalNumber(MAX_ROUND, 'roundId must be the number of a round') roundId?: RoundId;

  /** An event's number, a gamer, or the beginning of an id or a hash. */
  @optionalQuery(limits.FIND_MAX_LENGTH, `find must be a text of at most ${limits.FIND_MAX_LENGTH} characters`)
  find?: string;
}

const gamerMessage = 'gamer must be a GamerTag or the id of a gamer';

const optionalDay = optionalQuery(10, 'from and to must be days, such as 2025-10-14');

export class StatementQuery {
  @IsIn(STATEMENT_ACCOUNTS, { message: `account must be one of ${STATEMENT_ACCOUNTS.join(', ')}` })
  account!: StatementAccount;

  /** Tag or id. */
  @optionalQuery(limits.FIND_MAX_LENGTH, gamerMessage)
  @IsNotEmpty({ message: gamerMessage })
  gamer?: string;

  @optionalDay from?: NewYorkDay;
  @optionalDay to?: NewYorkDay;
}

export class MovementsQuery extends Page {
  /** Default: the day of the ledger's first event. */
  @optionalDay from?: NewYorkDay;
  @optionalDay to?: NewYorkDay;

  /** The number of the last event that counts, which makes pages fit together; default: the newest. */
  @optionalNumber(Number.MAX_SAFE_INTEGER, 'asOf must be the number of an event') asOf?: number;

  /** A file of the whole statement is made from large pages. */
  @optionalNumber(limits.MAX_STATEMENT_LINES, `pageSize must be a whole number from 1 to ${limits.MAX_STATEMENT_LINES}`)
  override pageSize: number = limits.LIST_PAGE_SIZE;
}
