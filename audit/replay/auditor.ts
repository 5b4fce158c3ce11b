import type { LedgerEvent, LedgerEvents } from '../../contracts/events/ledger-events.js';
import type { LedgerMetadata } from '../../contracts/events/metadata.js';
import type { RecordedLedgerEvent } from '../../contracts/events/recorded.js';
import type { GamerId } from '../../contracts/ids.js';
import { purchaseAccount, winningsAccount } from '../../contracts/ledger-accounts.js';
import { LedgerTree } from '../proof/tree.js';
import { Commands, checkActor } from '../rules/commands.js';
import { Deposits } from '../rules/deposits.js';
import { Entitlements } from '../rules/entitlements.js';
import { checkAmounts, LedgerAccounts } from '../rules/ledger-accounts.js';
import type { OpenRound } from '../rules/payments.js';
import { Exclusions, Limits } from '../rules/protection.js';
import { Rounds } from '../rules/rounds.js';
import { Withdrawals } from '../rules/withdrawals.js';
import { PublicRecord } from '../tables/public-record.js';
import { chainOf, FIRST_CHAIN } from './chain.js';
import { type FaultReporter, type Finding, formatCents } from './finding.js';
import { schemaFaults } from './schema.js';

/** One wrong event can make every later one wrong. */
const MAX_LISTED_FINDINGS = 1_000;

/** 250 ms from Postgres' clock (decision 42), 5 s for an append; the rest is for the clock of the store's machine. */
const MAX_CLOCK_DIFFERENCE_MS = 60_000;

/** The form of an encrypted text (docs/for-auditors.md, "Encrypted texts"). */
const ENCRYPTED = /^encrypted:1:([^:]+):[\w-]*$/;

/** Replays the ledger and trusts only its order. Memory grows with gamers, rounds and settlements, not purchases. */
export class Auditor {
  readonly findings: Finding[] = [];
  findingCount = 0;
  private current: RecordedLedgerEvent | null = null;
  private readonly fault: FaultReporter = (message) => {
    this.findingCount += 1;
    if (this.current === null || this.findings.length === MAX_LISTED_FINDINGS) return;
    const { revision, event } = this.current;
    this.findings.push({ revision, message: `${event.type} ${message}` });
  };
  readonly ledgerAccounts = new LedgerAccounts(this.fault);
  readonly rounds = new Rounds(this.fault);
  revision = -1;
  chain = FIRST_CHAIN;
  readonly tree = new LedgerTree();
  readonly entitlements = new Entitlements(this.fault);
  readonly exclusions = new Exclusions(this.fault);
  readonly playLimits = new Limits(this.fault);
  private readonly commands = new Commands(this.fault);
  readonly deposits = new Deposits(this.fault);
  readonly withdrawals = new Withdrawals(this.fault);
  readonly publicRecord = new PublicRecord();
  /** The accepted losses of history. Fields are named as in the nodes' state, with which specs compare them. */
  readonly losses: (LedgerEvents['HistoryLost'] & { atMs: number; revision: number })[] = [];
  /** Ledger time of the last event, epoch ms. */
  atMs = 0;

  take(recorded: RecordedLedgerEvent): void {
    const { revision, event, metadata } = recorded;
    this.current = recorded;
    if (revision !== this.revision + 1) this.fault(`follows revision ${this.revision}`);
    if (metadata.at < this.atMs) this.fault('is earlier than the event before it');
    this.checkRecording(recorded);
    if (chainOf(this.chain, recorded) !== metadata.chain) this.fault('has a chain that does not follow');
    const malformed = schemaFaults(event, metadata);
    malformed.forEach(this.fault);
    if (malformed.length === 0) this.check(event, metadata, revision);
    this.revision = revision;
    this.chain = metadata.chain;
    this.tree.add(metadata.chain);
    this.atMs = metadata.at;
  }

  private check(event: LedgerEvent, metadata: LedgerMetadata, revision: number): void {
    const { at: atMs, actor } = metadata;
    const jackpotBefore = this.ledgerAccounts.of('jackpot');
    if (event.type === 'GamerRemoved') this.checkRemoval(event.data);
    if (event.type === 'StaffStatusSet' && event.data.isStaff && this.rounds.leaderId === event.data.gamerId)
      this.fault(`is for ${event.data.gamerId}, who bought last in the live round`);
    this.commands.take(event, metadata);
    checkActor(event, actor, this.entitlements, this.fault);
    checkAmounts(event, (gamerId) => this.entitlements.isGamer(gamerId), this.fault);
    this.rounds.take(event, atMs, actor, jackpotBefore);
    this.entitlements.take(event, atMs, (gamerId) => this.exclusions.isExcluded(gamerId, atMs));
    this.exclusions.take(event, atMs);
    this.checkEncryptedTexts(event);
    this.playLimits.take(event, atMs);
    this.deposits.take(event, atMs, actor);
    this.withdrawals.take(event, actor);
    this.ledgerAccounts.post(event);
    if (event.type === 'HistoryLost') this.losses.push({ ...event.data, atMs, revision });
    this.publicRecord.take(revision, event, atMs);
  }

  /** The round in which a credited invoice could have bought its tokens; null when there is none. */
  openRoundFor({ event, metadata: { at: atMs } }: RecordedLedgerEvent): OpenRound | null {
    if (event.type !== 'InvoiceCredited') return null;
    const { gamerId, amountCents } = event.data;
    const { playLimits } = this;
    const isLimited =
      playLimits.mustChoose(gamerId) ||
      playLimits.wouldBreak(gamerId, ['spending', 'loss'], amountCents, atMs) ||
      // The event's cents are counted as a deposit already.
      playLimits.wouldBreak(gamerId, ['deposits'], 0, atMs);
    const mayPlay = !this.exclusions.isExcluded(gamerId, atMs) && !this.entitlements.staff.has(gamerId);
    return mayPlay && !isLimited ? this.rounds.openAt(atMs) : null;
  }

  /** The gamer whom an event is about; null for none. A rejection names only its deposit. */
  private ownerOf({ type, data }: LedgerEvent): GamerId | null {
    if (type === 'DepositRejected') return this.deposits.pending.get(data.depositId)?.gamerId ?? null;
    return 'gamerId' in data ? data.gamerId : null;
  }

  /** A removed gamer forfeits both balances, has no open withdrawal and does not lead the live round (decision 14). */
  private checkRemoval(removed: LedgerEvents['GamerRemoved']): void {
    const { gamerId, forfeitedPurchaseCents, forfeitedWinningsCents } = removed;
    const purchase = this.ledgerAccounts.of(purchaseAccount(gamerId));
    const winnings = this.ledgerAccounts.of(winningsAccount(gamerId));
    if (forfeitedPurchaseCents !== purchase)
      this.fault(`forfeits ${formatCents(forfeitedPurchaseCents)} of ${formatCents(purchase)} to buy with`);
    if (forfeitedWinningsCents !== winnings)
      this.fault(`forfeits ${formatCents(forfeitedWinningsCents)} of ${formatCents(winnings)} won`);
    if (this.withdrawals.isPendingFor(gamerId)) this.fault(`removes ${gamerId}, who has an open withdrawal`);
    if (this.rounds.leaderId === gamerId) this.fault(`removes ${gamerId}, who bought last in the live round`);
  }

  /** Compares an event's ledger time, which a node stated, with the time at which the store recorded the event. */
  private checkRecording({ createdAtMs, metadata }: RecordedLedgerEvent): void {
    if (createdAtMs === undefined) return;
    const aheadMs = metadata.at - createdAtMs;
    if (Math.abs(aheadMs) <= MAX_CLOCK_DIFFERENCE_MS) return;
    const seconds = Math.round(Math.abs(aheadMs) / 1000);
    if (aheadMs > 0) this.fault(`has a ledger time ${seconds} s after the store recorded it`);
    else this.fault(`was recorded by the store ${seconds} s after its ledger time`);
  }

  /** An encrypted text is of its event's gamer: under another gamer's key it would stay readable after its gamer's removal. */
  private checkEncryptedTexts(event: LedgerEvent): void {
    const owner = this.ownerOf(event);
    if (owner === null) return;
    for (const [field, value] of Object.entries(event.data)) {
      if (typeof value !== 'string' || !value.startsWith('encrypted:')) continue;
      const gamerId = ENCRYPTED.exec(value)?.[1];
      if (gamerId === undefined) this.fault(`has a ${field} that is not encrypted in any known way`);
      else if (gamerId !== owner) this.fault(`has a ${field} that is encrypted for ${gamerId}, and is about ${owner}`);
    }
  }
}
