import type { RecordedLedgerEvent } from '../../../contracts/events/recorded.js';
import type { Game } from '../../../domain/game.js';
import { CHAIN_START, isChained } from '../../../domain/ledger/chain.js';
import { evolve, forgetOld } from '../../../domain/ledger/evolve.js';
import { emptyLedger, type LedgerState } from '../../../domain/ledger/ledger-state.js';
import { addEntry, EMPTY_TREE } from '../../../domain/ledger/tree.js';
import { directChanges } from '../../../domain/ledger/undo-log.js';

export type CommittedEvent = { recorded: RecordedLedgerEvent; game: Game };

/** The log contradicts what was read from it, or its chain is broken. No command may be decided on it. */
export class LedgerBroken extends Error {}

/** The ledger as of an event: the state, the event's revision, chain and position, and the tree of all chains. */
export class LedgerReplica {
  constructor(
    readonly state: LedgerState = emptyLedger(),
    public revision = -1,
    public chain = CHAIN_START,
    public position = '0',
    public tree = EMPTY_TREE,
  ) {}

  /** Takes the next event of the log. Throws LedgerBroken when the event is not the next, or its chain is wrong. */
  evolve(recorded: RecordedLedgerEvent): CommittedEvent {
    const { event, metadata, revision } = recorded;
    if (revision !== this.revision + 1) throw new LedgerBroken(`ledger@${revision} came after ledger@${this.revision}`);
    if (!isChained(this.chain, recorded))
      throw new LedgerBroken(`ledger@${revision}: its chain does not follow from the event before it`);
    evolve(this.state, { revision, event, metadata }, directChanges);
    forgetOld(this.state);
    this.moveTo(recorded);
    return { recorded, game: this.state.game };
  }

  /** @param recorded the next event, which the state has already */
  moveTo({ revision, position, metadata }: RecordedLedgerEvent): void {
    this.revision = revision;
    this.chain = metadata.chain;
    this.tree = addEntry(this.tree, metadata.chain);
    this.position = position;
  }
}
