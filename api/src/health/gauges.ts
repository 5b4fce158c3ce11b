import { Gauge, type Registry } from 'prom-client';
import type { ReadCheckpoint } from '../http/checkpoint.queries.js';
import type { Ledger } from '../ledger/ledger.js';
import type { ReadModelLag } from './read-model-lag.js';

interface Gauged {
  ledger: Ledger;
  checkpoint: ReadCheckpoint;
  lag: ReadModelLag;
}

/** What is read off at each scrape. Positions are the log's; beyond 2^53 they are near enough for a graph. */
export function registerGauges(registry: Registry, { ledger, checkpoint, lag }: Gauged): void {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  gauge('ledger_revision', 'Of the last ledger event this node has folded.', () => ledger.revision);
  gauge('ledger_position', 'Where the last ledger event this node has folded stands in the log.', () =>
    Number(ledger.committed.position),
  );
  gauge('ledger_waiting_commands', 'Commands that are not answered yet.', () => ledger.waitingCommands);
  gauge('read_models_position', 'How far the tables are in the log; -1 while that is not known.', () =>
    Number(checkpoint.position ?? -1),
  );
  gauge(
    'read_models_behind_seconds',
    'Since when the tables lack an event of the ledger; 0 when they lack none.',
    () => lag.behindMs(Date.now()) / 1_000,
  );
}
