import type { RecordedLedgerEvent } from '../contracts/events/recorded.js';
import { Accounts } from './accounts.js';
import { chainOf, FIRST_CHAIN } from './chain.js';
import { Entitlements } from './entitlements.js';
import type { Finding } from './finding.js';
import { Rounds } from './rounds.js';
import { Settlements } from './settlements.js';

/** Limit of kept findings: one wrong event can make every later one wrong. */
const FINDINGS_KEPT = 1_000;

/**
 * Replays the ledger and trusts only its order: each event must follow from the one before it (revision, time, chain) and
 * obey the rules, to the cent. Memory grows with gamers, rounds and settlements, not with purchases.
 */
export class Auditor {
  readonly accounts = new Accounts();
  readonly rounds = new Rounds();
  readonly findings: Finding[] = [];
  /** Includes findings beyond the limit. */
  findingCount = 0;
  revision = -1;
  chain = FIRST_CHAIN;
  private readonly entitlements = new Entitlements();
  private readonly settlements = new Settlements();
  private at = 0;

  take(recorded: RecordedLedgerEvent): void {
    const { revision, event, metadata } = recorded;
    const find = (says: string): void => {
      this.findingCount += 1;
      if (this.findings.length < FINDINGS_KEPT) this.findings.push({ revision, says: `${event.type} ${says}` });
    };
    if (revision !== this.revision + 1) find(`follows revision ${this.revision}`);
    if (metadata.at < this.at) find('is earlier than the event before it');
    if (chainOf(this.chain, recorded) !== metadata.chain) find('has a chain that does not follow');
    const jackpotBefore = this.accounts.of('jackpot');
    this.rounds.take(event, metadata.at, jackpotBefore).forEach(find);
    this.entitlements.take(event, metadata.at).forEach(find);
    this.settlements.take(event).forEach(find);
    this.accounts.post(event).forEach(find);
    this.revision = revision;
    this.chain = metadata.chain;
    this.at = metadata.at;
  }
}
