import type { RecordedLedgerEvent } from '../contracts/events/recorded.js';
import { CHAIN_START, chainAfter } from '../domain/chain.js';
import { Accounts } from './accounts.js';
import { Entitlements } from './entitlements.js';
import type { Finding } from './finding.js';
import { Rounds } from './rounds.js';
import { Settlements } from './settlements.js';

/** So many are kept: one wrong event can make every later one wrong. */
const FINDINGS_KEPT = 1_000;

/**
 * Replays the ledger, trusting nothing but its order: each event must follow from the one before it (revision, time,
 * chain) and do what the rules say, to the cent. Memory grows with gamers, rounds and settlements, not with purchases.
 */
export class Auditor {
  readonly accounts = new Accounts();
  readonly rounds = new Rounds();
  readonly findings: Finding[] = [];
  /** Also those that were not kept. */
  findingCount = 0;
  revision = -1;
  chain = CHAIN_START;
  private readonly entitlements = new Entitlements();
  private readonly settlements = new Settlements();
  private at = 0;

  take({ id, revision, event, metadata }: RecordedLedgerEvent): void {
    const find = (says: string): void => {
      this.findingCount += 1;
      if (this.findings.length < FINDINGS_KEPT) this.findings.push({ revision, says: `${event.type} ${says}` });
    };
    if (revision !== this.revision + 1) find(`follows revision ${this.revision}`);
    if (metadata.at < this.at) find('is earlier than the event before it');
    if (chainAfter(this.chain, id, event, metadata) !== metadata.chain) find('has a chain that does not follow');
    const jackpotBefore = this.accounts.of('jackpot');
    for (const says of this.rounds.take(event, metadata.at, jackpotBefore)) find(says);
    for (const says of this.entitlements.take(event, metadata.at)) find(says);
    for (const says of this.settlements.take(event)) find(says);
    for (const says of this.accounts.post(event)) find(says);
    this.revision = revision;
    this.chain = metadata.chain;
    this.at = metadata.at;
  }
}
