import type { LedgerEvent, LedgerEventType } from '../../../contracts/events/ledger-events.js';
import type { Actor, LedgerMetadata } from '../../../contracts/events/metadata.js';
import type { RecordedLedgerEvent } from '../../../contracts/events/recorded.js';
import { currentVersionOf } from '../../../contracts/events/schemas.js';
import type { CommandId } from '../../../contracts/ids.js';
import type { Refusal } from '../../../contracts/refusals.js';
import { LEDGER_STREAM } from '../../../contracts/streams.js';
import type { Game } from '../../../domain/game.js';
import { canonicalJson } from '../../../domain/ledger/canonical-json.js';
import { chainAfter, commandHashOf } from '../../../domain/ledger/chain.js';
import { decide } from '../../../domain/ledger/decide.js';
import { evolve, forgetOld } from '../../../domain/ledger/evolve.js';
import type { LedgerCommand } from '../../../domain/ledger/ledger-commands.js';
import { commandKey, revisionOfCommand } from '../../../domain/ledger/ledger-state.js';
import { UndoLog } from '../../../domain/ledger/undo-log.js';
import { waitsForZero } from '../../../domain/rounds.js';
import type { NewEvent } from '../../../event-log/event-log.types.js';
import type { CommittedEvent, LedgerReplica } from './ledger-replica.js';

/** A command as its sender submitted it. */
export interface Submission {
  command: LedgerCommand;
  commandId: CommandId;
  actor: Actor;
  receivedAtMs: number;
  /** The id of what the command creates, such as a purchase. */
  freshId: string;
}

export type Outcome =
  /** Without events the command changes nothing. */
  | { kind: 'accepted'; events: RecordedLedgerEvent[] }
  | { kind: 'refused'; refusal: Refusal }
  /** The command id was used before, by the event at this revision, whose command may have had other content. */
  | { kind: 'replayed'; revision: number };

type DraftedEvent = NewEvent<LedgerEvent, LedgerMetadata> & { revision: number; game: Game };

/** Upper estimate of one event's metadata, ids and framing. */
const METADATA_BYTES = 512;

/** Commands decided one after another for one append. Until `commit` the state is ahead; `undo` reverts it. */
export class Draft {
  private readonly undoLog = new UndoLog();
  readonly newEvents: DraftedEvent[] = [];
  /** One per submission: its outcome, or the range of its events in `newEvents` when it is accepted. */
  private readonly outcomes: (Outcome | { from: number; to: number })[] = [];
  private chain: string;
  sizeBytes = 0;

  constructor(
    private readonly replica: LedgerReplica,
    private readonly newEventId: () => string,
    private readonly nowMs: number,
    private readonly mayWrite: (type: LedgerEventType, version: number) => boolean = () => true,
  ) {
    this.chain = replica.chain;
  }

  add(submission: Submission): void {
    this.outcomes.push(this.decide(submission));
  }

  private decide(submission: Submission): Outcome | { from: number; to: number } {
    const { state } = this.replica;
    const { command, commandId, actor, freshId } = submission;
    const replayed = revisionOfCommand(state, commandKey(actor.id, commandId));
    if (replayed !== undefined) return { kind: 'replayed', revision: replayed };
    const commandHash = commandHashOf(command, actor.id);
    const atMs = Math.max(this.nowMs, state.atMs);
    const receivedAtMs = Math.min(submission.receivedAtMs, atMs);
    const context = { atMs, receivedAtMs, actor, freshId };
    const decision = decide(state, command, context);
    if (decision.refusal) return { kind: 'refused', refusal: decision.refusal };
    if (decision.events.length === 0) return { kind: 'accepted', events: [] };
    if (waitsForZero(state, command, context)) return { kind: 'refused', refusal: { code: 'round-being-decided' } };
    if (!decision.events.every(({ type }) => this.mayWrite(type, currentVersionOf(type))))
      return { kind: 'refused', refusal: { code: 'unavailable' } };
    const from = this.newEvents.length;
    for (const event of decision.events)
      this.addEvent(event, { commandId, commandHash, actor, at: atMs, schema: currentVersionOf(event.type) });
    return { from, to: this.newEvents.length };
  }

  get isEmpty(): boolean {
    return this.newEvents.length === 0;
  }

  /** Moves the replica to the appended events, and returns the outcomes of the submissions. @param position of the append */
  commit(position: string): { committed: CommittedEvent[]; outcomes: Outcome[] } {
    const committed = this.newEvents.map(({ id, event, metadata, revision, game }) => ({
      recorded: { id, stream: LEDGER_STREAM, revision, position, event, metadata },
      game,
    }));
    for (const { recorded } of committed) this.replica.moveTo(recorded);
    forgetOld(this.replica.state);
    const outcomes = this.outcomes.map((one): Outcome => {
      if ('kind' in one) return one;
      return { kind: 'accepted', events: committed.slice(one.from, one.to).map(({ recorded }) => recorded) };
    });
    return { committed, outcomes };
  }

  undo(): void {
    this.undoLog.undo();
  }

  private addEvent(event: LedgerEvent, metadata: Omit<LedgerMetadata, 'chain'>): void {
    const id = this.newEventId();
    const revision = this.replica.revision + 1 + this.newEvents.length;
    evolve(this.replica.state, { revision, event, metadata }, this.undoLog);
    // A replay checks the chain by this text, and encodes nothing again.
    const dataText = canonicalJson(event.data);
    this.chain = chainAfter(this.chain, id, event, metadata, dataText);
    this.newEvents.push({
      id,
      event,
      metadata: { ...metadata, chain: this.chain },
      dataText,
      revision,
      game: this.replica.state.game,
    });
    this.sizeBytes += Buffer.byteLength(dataText) + METADATA_BYTES;
  }
}
