import { isDeepStrictEqual } from 'node:util';
import type { LedgerEvent } from '../../contracts/events/ledger-events.js';
import { type Actor, SYSTEM } from '../../contracts/events/metadata.js';
import { refusalText } from '../../contracts/refusals.js';
import { decide } from '../ledger/decide.js';
import { evolve } from '../ledger/evolve.js';
import type { CommandContext, LedgerCommand } from '../ledger/ledger-commands.js';
import { emptyLedger, type LedgerState } from '../ledger/ledger-state.js';
import { directChanges } from '../ledger/undo-log.js';
import { T0 } from './constants.js';
import { frozenCopy } from './copy.js';

/** Events; a number sets the ledger time, epoch ms, of the events after it. */
export type Past = LedgerEvent | number | readonly Past[];

/** `given(events).when(command).thenHappens(events)`, or `.thenRefused(text)`, or `.thenNothing()`. */
export const given = (...past: Past[]): Scenario => new Scenario().and(...past);

const CONTEXT = { actor: { id: 'alice', role: 'gamer' }, freshId: 'fresh' } as const;

export class Scenario {
  readonly state: LedgerState = emptyLedger();
  private atMs = T0;
  private revision = -1;

  and(...past: Past[]): this {
    for (const step of past) {
      if (typeof step === 'number') this.atMs = step;
      else if ('type' in step) this.happened(step, SYSTEM);
      else this.and(...step);
    }
    return this;
  }

  /** Decides a command, at the scenario's time unless `context` has another. */
  when(command: LedgerCommand, context: Partial<CommandContext> = {}): Outcome {
    const before = frozenCopy(this.state);
    const atMs = context.atMs ?? this.atMs;
    const full = { ...CONTEXT, atMs, receivedAtMs: atMs, ...context };
    const decision = decide(this.state, command, full);
    if (!isDeepStrictEqual(this.state, before)) throw new Error(`deciding ${command.type} changed the state`);
    return new Outcome(
      this,
      decision.refusal ? refusalText(decision.refusal) : null,
      decision.refusal ? [] : decision.events,
      full,
    );
  }

  /** Evolves by events of a command of this actor. */
  by(actor: Actor, atMs: number, events: readonly LedgerEvent[]): this {
    this.atMs = atMs;
    for (const event of events) this.happened(event, actor);
    return this;
  }

  private happened(event: LedgerEvent, actor: Actor): void {
    this.revision += 1;
    const metadata = { at: this.atMs, actor, commandId: `c${this.revision}`, commandHash: '' } as const;
    evolve(this.state, { revision: this.revision, event, metadata }, directChanges);
  }
}

type Row<Then> = [name: string, past: Past, command: LedgerCommand, then: Then, context?: Partial<CommandContext>];

/** A test for each row: after this past, the command has exactly these events, or none. */
export const itHappens = (rows: Row<LedgerEvent[]>[]): void =>
  it.each(rows)('%s', (_name, past, command, events, context = {}) => {
    given(past)
      .when(command, context)
      .thenHappens(...events);
  });

/** A test for each row: after this past, the command is refused with this text. */
export const itRefuses = (rows: Row<string>[]): void =>
  it.each(rows)('%s', (_name, past, command, text, context = {}) => {
    given(past).when(command, context).thenRefused(text);
  });

class Outcome {
  constructor(
    private readonly scenario: Scenario,
    readonly refused: string | null,
    readonly events: LedgerEvent[],
    private readonly context: CommandContext,
  ) {}

  /** Expects exactly these events, and evolves by them. A purchase is expected to have the command's arrival. */
  thenHappens(...events: LedgerEvent[]): Scenario {
    const expected = events.map((event) =>
      event.type === 'TokenPurchased'
        ? { ...event, data: { ...event.data, receivedAtEpochMs: this.context.receivedAtMs } }
        : event,
    );
    expect({ refused: this.refused, events: this.events }).toEqual({ refused: null, events: expected });
    return this.andThen();
  }

  thenRefused(text: string): Scenario {
    expect({ refused: this.refused, events: this.events }).toEqual({ refused: text, events: [] });
    return this.scenario;
  }

  thenNothing(): Scenario {
    return this.thenHappens();
  }

  /** Evolves by the decided events. Fails on a refusal. */
  andThen(): Scenario {
    expect(this.refused).toBeNull();
    return this.scenario.by(this.context.actor, this.context.atMs, this.events);
  }
}
