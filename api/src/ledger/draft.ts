import type { LedgerEvent } from '../../../contracts/events/ledger-events.js';
import type { Actor, LedgerMetadata } from '../../../contracts/events/metadata.js';
import type { RecordedLedgerEvent } from '../../../contracts/events/recorded.js';
import { schemaOf } from '../../../contracts/events/schemas.js';
import type { CommandId } from '../../../contracts/ids.js';
import type { Refusal } from '../../../contracts/messages.js';
import { LEDGER_STREAM } from '../../../contracts/streams.js';
import { canonicalJson } from '../../../domain/canonical-json.js';
import { chainAfter, commandHashOf } from '../../../domain/chain.js';
import { decide } from '../../../domain/decide.js';
import { evolve } from '../../../domain/evolve.js';
import type { Game } from '../../../domain/game.js';
import type { LedgerCommand } from '../../../domain/ledger-commands.js';
import { rememberedKey } from '../../../domain/ledger-state.js';
import { UndoJournal } from '../../../domain/undo-journal.js';
import type { NewEvent } from '../../../event-log/event-log.types.js';
import type { CommittedEvent, LedgerBook } from './ledger-book.js';

/** A command as it arrived. */
export interface Submission {
  command: LedgerCommand;
  commandId: CommandId;
  actor: Actor;
  /** Epoch ms. */
  arrivedAt: number;
  freshId: string;
}

/** What became of a submission, once the draft is in the log. */
export type Outcome =
  | { kind: 'accepted'; events: RecordedLedgerEvent[] }
  | { kind: 'refused'; refusal: Refusal }
  /** The command was carried out before: its first event is at this revision. */
  | { kind: 'repeat'; revision: number }
  /** Nothing was to be done. */
  | { kind: 'idle' };

interface Drafted {
  id: string;
  event: LedgerEvent;
  metadata: LedgerMetadata;
  revision: number;
  game: Game;
}

/**
 * Commands decided one after another on a book, whose events wait to be appended as one. Until then they are a wish:
 * the book's state is ahead of its revision, and `undo` takes it back.
 */
export class Draft {
  private readonly journal = new UndoJournal();
  private readonly drafted: Drafted[] = [];
  private readonly outcomes: { from: number; to: number; refused?: Refusal; repeats?: number }[] = [];
  private chain: string;
  /** Estimated bytes of the append. */
  size = 0;

  constructor(
    private readonly book: LedgerBook,
    private readonly newEventId: () => string,
  ) {
    this.chain = book.chain;
  }

  /** Decides the next command and folds its events. */
  add(submission: Submission): void {
    const { state } = this.book;
    const { command, commandId, actor, arrivedAt, freshId } = submission;
    const from = this.drafted.length;
    const commandHash = commandHashOf(command, actor.id);
    const remembered = state.commands.get(rememberedKey(actor.id, commandId));
    if (remembered) {
      const same = remembered.commandHash === commandHash;
      const answer = same ? { repeats: remembered.revision } : { refused: { code: 'idempotency-key-reused' } as const };
      this.outcomes.push({ from, to: from, ...answer });
      return;
    }
    const at = Math.max(arrivedAt, state.at);
    const decision = decide(state, command, { at, actor, freshId });
    if (decision.refusal) {
      this.outcomes.push({ from, to: from, refused: decision.refusal });
      return;
    }
    for (const event of decision.events)
      this.fold(event, { commandId, commandHash, actor, at, schema: schemaOf(event.type) });
    this.outcomes.push({ from, to: this.drafted.length });
  }

  get isEmpty(): boolean {
    return this.drafted.length === 0;
  }

  get eventCount(): number {
    return this.drafted.length;
  }

  get newEvents(): NewEvent<LedgerEvent, LedgerMetadata>[] {
    return this.drafted;
  }

  /** The append succeeded with its last event at `position`: the book moves, and everyone can be answered. */
  commit(position: string): { committed: CommittedEvent[]; outcomes: Outcome[] } {
    const committed = this.drafted.map(({ id, event, metadata, revision, game }) => ({
      recorded: { id, stream: LEDGER_STREAM, revision, position, event, metadata },
      game,
    }));
    const last = committed.at(-1);
    if (last) this.book.moveTo(last.recorded);
    const outcomes = this.outcomes.map(({ from, to, refused, repeats }): Outcome => {
      if (refused) return { kind: 'refused', refusal: refused };
      if (repeats !== undefined) return { kind: 'repeat', revision: repeats };
      if (from === to) return { kind: 'idle' };
      return { kind: 'accepted', events: committed.slice(from, to).map(({ recorded }) => recorded) };
    });
    return { committed, outcomes };
  }

  undo(): void {
    this.journal.undo();
  }

  private fold(event: LedgerEvent, metadata: Omit<LedgerMetadata, 'chain'>): void {
    const id = this.newEventId();
    const revision = this.book.revision + 1 + this.drafted.length;
    evolve(this.book.state, { revision, event, metadata }, this.journal);
    const dataJson = canonicalJson(event.data);
    this.chain = chainAfter(this.chain, id, event, metadata, dataJson);
    this.drafted.push({
      id,
      event,
      metadata: { ...metadata, chain: this.chain },
      revision,
      game: this.book.state.game,
    });
    this.size += Buffer.byteLength(dataJson) + METADATA_SIZE;
  }
}

/** Metadata, ids and framing of one event, generously. */
const METADATA_SIZE = 512;
