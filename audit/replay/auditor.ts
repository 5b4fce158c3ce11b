import type { LedgerEvent, LedgerEvents } from '../../contracts/events/ledger-events.js';
import type { LedgerMetadata } from '../../contracts/events/metadata.js';
import type { RecordedLedgerEvent } from '../../contracts/events/recorded.js';
import type { GamerId } from '../../contracts/ids.js';
import { purchaseAccount, winningsAccount } from '../../contracts/ledger-accounts.js';
import { LedgerTree } from '../proof/tree.js';
import { LedgerAccounts } from '../rules/accounts.js';
import { actorFaults } from '../rules/actors.js';
import { amountFaults } from '../rules/amounts.js';
import { Commands } from '../rules/commands.js';
import { Deposits } from '../rules/deposits.js';
import { Entitlements } from '../rules/entitlements.js';
import { Exclusions } from '../rules/exclusions.js';
import type { OpenRound } from '../rules/payments.js';
import { PlayLimits } from '../rules/play-limits.js';
import { Rounds } from '../rules/rounds.js';
import { Withdrawals } from '../rules/withdrawals.js';
import { LogTiles } from '../tables/log-tiles.js';
import { PublicRecord } from '../tables/public-record.js';
import { chainOf, FIRST_CHAIN } from './chain.js';
import { cents, type Finding, faultsOf } from './finding.js';
import { Board, Settled } from './node-memory.js';
import { schemaFaults } from './schema.js';

/** One wrong event can make every later one wrong. */
const MAX_LISTED_FINDINGS = 1_000;

/** 250 ms from Postgres' clock (decision 42), 5 s for an append; the rest is for the clock of the store's machine. */
const MAX_CLOCK_DIFFERENCE_MS = 60_000;

/** By docs/for-auditors.md, "Encrypted texts". */
const ENCRYPTED = /^encrypted:1:([^:]+):[\w-]*$/;

/** Replays the ledger and trusts only its order. Memory grows with gamers, rounds and settlements, not purchases. */
export class Auditor {
  readonly accounts = new LedgerAccounts();
  readonly rounds = new Rounds();
  readonly findings: Finding[] = [];
  /** Includes findings beyond the limit. */
  findingCount = 0;
  revision = -1;
  chain = FIRST_CHAIN;
  readonly tiles = new LogTiles();
  readonly tree = new LedgerTree((level, hash) => this.tiles.add(level, hash));
  readonly entitlements = new Entitlements();
  readonly exclusions = new Exclusions();
  readonly playLimits = new PlayLimits();
  private readonly commands = new Commands();
  readonly deposits = new Deposits();
  readonly withdrawals = new Withdrawals();
  readonly settled = new Settled();
  readonly board = new Board();
  readonly publicRecord = new PublicRecord();
  /** The losses of history that were accepted, with the names of the nodes' state. */
  readonly losses: (LedgerEvents['HistoryLost'] & { atMs: number; revision: number })[] = [];
  /** Ledger time of the last event, epoch ms. */
  at = 0;

  take(recorded: RecordedLedgerEvent): void {
    const { revision, event, metadata } = recorded;
    const find = (says: string): void => {
      this.findingCount += 1;
      if (this.findings.length < MAX_LISTED_FINDINGS) this.findings.push({ revision, says: `${event.type} ${says}` });
    };
    if (revision !== this.revision + 1) find(`follows revision ${this.revision}`);
    if (metadata.at < this.at) find('is earlier than the event before it');
    recordingFaults(recorded).forEach(find);
    if (chainOf(this.chain, recorded) !== metadata.chain) find('has a chain that does not follow');
    const malformed = schemaFaults(event, metadata);
    if (malformed.length > 0) malformed.forEach(find);
    else this.check(event, metadata, find);
    if (event.type === 'HistoryLost' && malformed.length === 0)
      this.losses.push({ ...event.data, atMs: metadata.at, revision });
    if (malformed.length === 0) this.publicRecord.take(revision, event, metadata.at);
    this.revision = revision;
    this.chain = metadata.chain;
    this.tiles.add(0, metadata.chain);
    this.tree.add(metadata.chain);
    this.at = metadata.at;
  }

  private check(event: LedgerEvent, metadata: LedgerMetadata, find: (says: string) => void): void {
    const { at, actor } = metadata;
    const jackpotBefore = this.accounts.of('jackpot');
    if (event.type === 'GamerRemoved') this.removalFaults(event.data).forEach(find);
    if (event.type === 'StaffStatusSet' && event.data.isStaff && this.rounds.leaderId === event.data.gamerId)
      find(`is for ${event.data.gamerId}, who bought last in the live round`);
    this.commands.take(event, metadata).forEach(find);
    actorFaults(event, actor, this.entitlements).forEach(find);
    amountFaults(event, this.isGamer).forEach(find);
    this.rounds.take(event, at, actor, jackpotBefore).forEach(find);
    this.board.take(event, at, this.rounds.endsAtMs);
    this.entitlements.take(event, at, (gamerId) => this.exclusions.isExcluded(gamerId, at)).forEach(find);
    this.exclusions.take(event, at).forEach(find);
    encryptedTextFaults(event, this.ownerOf(event)).forEach(find);
    this.playLimits.take(event, at).forEach(find);
    this.settled.take(event, (depositId) => this.deposits.pending.has(depositId));
    this.deposits.take(event, at, actor).forEach(find);
    this.withdrawals.take(event, actor).forEach(find);
    this.accounts.post(event).forEach(find);
  }

  /** The round in which a credited invoice could have bought its tokens; null when there is none. */
  openRoundFor({ event, metadata: { at } }: RecordedLedgerEvent): OpenRound | null {
    if (event.type !== 'InvoiceCredited') return null;
    const { gamerId, amountCents } = event.data;
    const { playLimits } = this;
    const isLimited =
      playLimits.mustChoose(gamerId) ||
      playLimits.wouldBreak(gamerId, ['spending', 'loss'], amountCents, at) ||
      // The event's cents are counted as a deposit already.
      playLimits.wouldBreak(gamerId, ['deposits'], 0, at);
    const mayPlay = !this.exclusions.isExcluded(gamerId, at) && !this.entitlements.staff.has(gamerId);
    return mayPlay && !isLimited ? this.rounds.openAt(at) : null;
  }

  /** The gamer whom an event is about; null for none. A rejection names only its deposit. */
  private ownerOf({ type, data }: LedgerEvent): GamerId | null {
    if (type === 'DepositRejected') return this.deposits.pending.get(data.depositId)?.gamerId ?? null;
    return 'gamerId' in data ? data.gamerId : null;
  }

  private readonly isGamer = (gamerId: GamerId): boolean => this.entitlements.isGamer(gamerId);

  /** A removed gamer forfeits both balances, has no open withdrawal and does not lead the live round (decision 14). */
  private removalFaults(removed: LedgerEvents['GamerRemoved']): string[] {
    const { gamerId, forfeitedPurchaseCents, forfeitedWinningsCents } = removed;
    const purchase = this.accounts.of(purchaseAccount(gamerId));
    const winnings = this.accounts.of(winningsAccount(gamerId));
    return faultsOf([
      [
        forfeitedPurchaseCents !== purchase,
        `forfeits ${cents(forfeitedPurchaseCents)} of ${cents(purchase)} to buy with`,
      ],
      [forfeitedWinningsCents !== winnings, `forfeits ${cents(forfeitedWinningsCents)} of ${cents(winnings)} won`],
      [this.withdrawals.isPendingFor(gamerId), `removes ${gamerId}, who has an open withdrawal`],
      [this.rounds.leaderId === gamerId, `removes ${gamerId}, who bought last in the live round`],
    ]);
  }
}

/** Compares an event's ledger time, which a node stated, with the time at which the store recorded the event. */
function recordingFaults({ createdAtMs, metadata }: RecordedLedgerEvent): string[] {
  if (createdAtMs === undefined) return [];
  const aheadMs = metadata.at - createdAtMs;
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  return faultsOf([
    [aheadMs > MAX_CLOCK_DIFFERENCE_MS, `has a ledger time ${seconds} s after the store recorded it`],
    [aheadMs < -MAX_CLOCK_DIFFERENCE_MS, `was recorded by the store ${seconds} s after its ledger time`],
  ]);
}

/** An encrypted text is of its event's gamer: under another gamer's key it would stay readable after its gamer's removal. */
function encryptedTextFaults({ data }: LedgerEvent, owner: GamerId | null): string[] {
  if (owner === null) return [];
  return Object.entries(data).flatMap(([field, value]) => {
    if (typeof value !== 'string' || !value.startsWith('encrypted:')) return [];
    const gamerId = ENCRYPTED.exec(value)?.[1];
    if (gamerId === undefined) return [`has a ${field} that is not encrypted in any known way`];
    return gamerId === owner ? [] : [`has a ${field} that is encrypted for ${gamerId}, and is about ${owner}`];
  });
}
