import { isDeepStrictEqual } from 'node:util';
import type { LedgerEvent } from '../../contracts/events/ledger-events.js';
import { refusalText } from '../../contracts/messages.js';
import { decide } from '../decide.js';
import { evolve } from '../evolve.js';
import type { CommandContext, LedgerCommand } from '../ledger-commands.js';
import { emptyLedger, type LedgerState } from '../ledger-state.js';
import { directly } from '../undo-journal.js';
import { copyOf } from './copy.js';
import { T0 } from './events.js';

/** What happened; a number is the ledger time, epoch ms, at which the rest happened. */
export type Past = LedgerEvent | LedgerEvent[] | number;

/** `given(what happened).when(a command).thenHappens(events)`, or `.thenRefused(text)`, or `.thenNothing()`. */
export const given = (...past: Past[]): Story => new Story().and(...past);

export class Story {
  readonly state: LedgerState = emptyLedger();
  private at = T0;
  private revision = -1;

  and(...past: Past[]): this {
    for (const step of past) {
      if (typeof step === 'number') this.at = step;
      else for (const event of Array.isArray(step) ? step : [step]) this.happened(event);
    }
    return this;
  }

  /** Decides a command at the story's time unless said otherwise. */
  when(command: LedgerCommand, context: Partial<CommandContext> = {}): Told {
    const before = copyOf(this.state);
    const full = { at: this.at, actor: { id: 'alice', role: 'gamer' }, freshId: 'fresh', ...context } as const;
    const decision = decide(this.state, command, full);
    if (!isDeepStrictEqual(this.state, before)) throw new Error(`deciding ${command.type} changed the state`);
    return new Told(
      this,
      decision.refusal ? refusalText(decision.refusal) : null,
      decision.refusal ? [] : decision.events,
      full.at,
    );
  }

  private happened(event: LedgerEvent): void {
    this.revision += 1;
    const metadata = {
      at: this.at,
      actor: { id: 'system', role: 'system' },
      commandId: `c${this.revision}`,
      commandHash: '',
    } as const;
    evolve(this.state, { revision: this.revision, event, metadata }, directly);
  }
}

class Told {
  constructor(
    private readonly story: Story,
    private readonly refused: string | null,
    readonly events: LedgerEvent[],
    private readonly at: number,
  ) {}

  /** Exactly these events; the story goes on after them. */
  thenHappens(...events: LedgerEvent[]): Story {
    expect({ refused: this.refused, events: this.events }).toEqual({ refused: null, events });
    return this.andThen();
  }

  /** The sentence a person reads. */
  thenRefused(text: string): Story {
    expect({ refused: this.refused, events: this.events }).toEqual({ refused: text, events: [] });
    return this.story;
  }

  thenNothing(): Story {
    return this.thenHappens();
  }

  /** Whatever was decided happens; it must not have been a refusal. */
  andThen(): Story {
    expect(this.refused).toBeNull();
    return this.story.and(this.at, this.events);
  }
}
