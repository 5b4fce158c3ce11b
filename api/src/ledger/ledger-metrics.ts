import { Counter, Histogram, type Registry } from 'prom-client';
import type { LedgerCommand } from '../../../domain/ledger/ledger-commands.js';
import { Refused, Unavailable } from '../platform/failures.js';
import type { LedgerLog } from './append-until-known.js';

export class LedgerMetrics {
  private readonly commands: Counter<'type' | 'result'>;
  private readonly appendSeconds: Histogram<'result'>;
  private readonly batchEvents: Histogram;

  constructor(registry: Registry) {
    const registers = [registry];
    this.commands = new Counter({
      name: 'ledger_commands_total',
      help: 'Commands by type and result: accepted, the code of the refusal, unavailable or failed.',
      labelNames: ['type', 'result'],
      registers,
    });
    this.appendSeconds = new Histogram({
      name: 'ledger_append_duration_seconds',
      help: 'Time until the event store answered an append; result is done or failed, as when another node was first.',
      labelNames: ['result'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    });
    this.batchEvents = new Histogram({
      name: 'ledger_append_events',
      help: 'Events in one append: the batch that gathered during the append before.',
      buckets: [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500],
      registers,
    });
  }

  countCommand(type: LedgerCommand['type'], result: Promise<unknown>): void {
    result.then(
      () => this.commands.inc({ type, result: 'accepted' }),
      (error: unknown) => this.commands.inc({ type, result: failureOf(error) }),
    );
  }

  measure(log: LedgerLog): LedgerLog {
    return {
      readStream: (...options) => log.readStream(...options),
      append: (stream, events, expected) => {
        const end = this.appendSeconds.startTimer();
        this.batchEvents.observe(events.length);
        const appended = log.append(stream, events, expected);
        const ended = (result: string) => () => void end({ result });
        appended.then(ended('done'), ended('failed'));
        return appended;
      },
    };
  }
}

function failureOf(error: unknown): string {
  if (error instanceof Refused) return error.refusal.code;
  return error instanceof Unavailable ? 'unavailable' : 'failed';
}
