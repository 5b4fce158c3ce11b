import type { CommandMetadata, LedgerCommand } from '../../../domain/ledger-commands.js';
import type { Tracing } from '../../../event-log/tracing.js';
import type { LedgerMetrics } from './ledger-metrics.js';
import type { Turns } from './turns.store.js';

/** Sources of time and randomness, and the turns of the nodes. */
export interface LedgerSources {
  /** Epoch ms. */
  now(): number;
  /** Milliseconds of a monotonic clock. Default: this process's. Simulations pass their virtual time. */
  monotonicMs?(): number;
  /** The reason not to trust the clock; null when it may be trusted. Default: it always may. */
  clockFault?(): string | null;
  /** Whether every running process can read this event. Default: they all can. */
  mayWrite?(type: string, version: number): boolean;
  /** Records spans of commands and appends. Default: none. */
  tracing?: Pick<Tracing, 'span'>;
  /** Default: the node never waits for its turn, as if it were the only one. */
  turns?: Turns;
  /** Returns the command with its personal texts encrypted; null for a command without any. Default: nothing is encrypted. */
  encrypt?(command: LedgerCommand, metadata: CommandMetadata): Promise<LedgerCommand> | null;
  /** How long the first payout to an address waits. Default: the domain's. */
  payoutWaitMs?: number;
  newEventId(): string;
  newId(): string;
  /** Default: commands are not counted. */
  metrics?: Pick<LedgerMetrics, 'countCommand'>;
  /** Default: a timer; simulations pass their virtual time. */
  sleep?(timeoutMs: number): Promise<unknown>;
}
