import type { CommandId } from '../../contracts/ids.js';
import type { LedgerCommand } from '../../domain/ledger/ledger-commands.js';
import { actorOf } from '../../domain/testing/actors.js';
import type { CommandResult } from '../src/ledger/command-queue.js';
import { Ledger, type LedgerDependencies } from '../src/ledger/ledger.js';
import { type CommittedEvent, LedgerReplica } from '../src/ledger/ledger-replica.js';
import { Refused, Unavailable } from '../src/platform/failures.js';
import { FaultyLog, type Line } from './faulty-log.js';
import type { StreamsInMemory } from './streams-in-memory.js';
import type { VirtualTime } from './virtual-time.js';

let made = 0;
const nextId = (of: string): string => {
  made += 1;
  return `${of}${made}`;
};

export type Outcome = { done: CommandResult } | { refused: string } | { unavailable: string } | { failed: string };

/** One api node's ledger, the events it announced and the error that ended it. */
export class LedgerNode {
  readonly replica = new LedgerReplica();
  readonly log: FaultyLog;
  readonly ledger: Ledger;
  readonly announced: CommittedEvent[] = [];
  broken: Error | null = null;

  constructor(
    memory: StreamsInMemory,
    line: Line,
    private readonly time: VirtualTime,
    more: Partial<LedgerDependencies> = {},
  ) {
    this.log = new FaultyLog(memory, line, time);
    const sources = {
      now: time.now,
      newEventId: () => nextId('event'),
      newId: () => nextId('fresh'),
      ...more,
    };
    this.ledger = new Ledger(this.replica, this.log, sources, (error) => {
      this.broken = error;
    });
    this.ledger.onCommitted((committed) => this.announced.push(...committed));
  }

  async start(): Promise<this> {
    await this.time.until(this.ledger.start());
    return this;
  }

  /** Sends a command of its usual actor; resolves with its outcome and never rejects. */
  send(command: LedgerCommand, commandId: CommandId = nextId('command')): Promise<Outcome> {
    return this.ledger.execute(command, { actor: actorOf(command), commandId }).then(
      (done) => ({ done }),
      (error: Error) => {
        if (error instanceof Refused) return { refused: error.message };
        if (error instanceof Unavailable) return { unavailable: error.message };
        return { failed: error.message };
      },
    );
  }

  do(command: LedgerCommand, commandId?: CommandId): Promise<Outcome> {
    return this.time.until(this.send(command, commandId));
  }
}
