import type { RecordedLedgerEvent } from '../../../../contracts/events/recorded.js';
import type { CommandId, GamerId } from '../../../../contracts/ids.js';
import type { LedgerCommand } from '../../../../domain/ledger-commands.js';
import { Refused, Unavailable } from '../../http/refused.js';
import { type CommandResult, Ledger } from '../ledger.js';
import { type CommittedEvent, LedgerBook } from '../ledger-book.js';
import { FaultyLog, type Line, type MemoryLog } from './faulty-log.js';
import type { VirtualTime } from './virtual-time.js';

let made = 0;
const nextId = (of: string): string => {
  made += 1;
  return `${of}${made}`;
};

/** How a command ended for its sender. */
export type Ended = { done: CommandResult } | { refused: string } | { unavailable: string } | { failed: string };

/** One api node's ledger, with what it told and what it broke over. */
export class LedgerNode {
  readonly book = new LedgerBook();
  readonly log: FaultyLog;
  readonly ledger: Ledger;
  readonly told: CommittedEvent[] = [];
  broken: Error | null = null;
  /** Resolves, to nothing, when the node crashes. */
  readonly crashed: Promise<null>;
  private crashNow: () => void = () => {};

  constructor(
    memory: MemoryLog,
    line: Line,
    private readonly time: VirtualTime,
  ) {
    this.log = new FaultyLog(memory, line, time);
    this.crashed = new Promise((resolve) => {
      this.crashNow = () => resolve(null);
    });
    const sources = {
      now: time.now,
      sleep: time.sleep,
      newEventId: () => nextId('event'),
      newId: () => nextId('fresh'),
    };
    this.ledger = new Ledger(this.book, this.log, sources, (error) => {
      this.broken = error;
    });
    this.ledger.onCommitted((committed) => this.told.push(...committed));
  }

  async start(): Promise<this> {
    await this.time.until(this.ledger.start());
    return this;
  }

  /** From now on nothing comes back to it from the log; what it has sent may still arrive there. */
  crash(): void {
    this.log.cut();
    this.crashNow();
  }

  /** Reads the rest of the log into the book of a ledger that has stopped. */
  async catchUp(): Promise<void> {
    for await (const recorded of this.log.readStream('ledger', { fromRevision: this.book.revision + 1 })) {
      this.told.push(this.book.apply(recorded as RecordedLedgerEvent));
    }
  }

  /** Sends a command; resolves, never rejects, with how it ended. */
  send(command: LedgerCommand, actorId: GamerId = 'admin', commandId: CommandId = nextId('command')): Promise<Ended> {
    return this.ledger.execute(command, { actor: { id: actorId, role: 'gamer' }, commandId }).then(
      (done) => ({ done }),
      (error: Error) => {
        if (error instanceof Refused) return { refused: error.message };
        if (error instanceof Unavailable) return { unavailable: error.message };
        return { failed: error.message };
      },
    );
  }

  /** Sends a command and lets time pass until it has ended. */
  do(command: LedgerCommand, actorId?: GamerId, commandId?: CommandId): Promise<Ended> {
    return this.time.until(this.send(command, actorId, commandId));
  }
}
