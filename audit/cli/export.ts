import type { RecordedLedgerEvent } from '../../contracts/events/recorded.js';
import { postingsOf } from '../replay/postings.js';
import { type LedgerReader, ledgerOf } from '../replay/verify.js';
import type { ExportFormat } from './command-line.js';

/** The ledger as lines: JSONL, an event with all that its chain covers; CSV (RFC 4180), a posting. */
export async function* exportLines(log: LedgerReader, format: ExportFormat): AsyncIterable<string> {
  if (format === 'csv') yield `${CSV_HEADER.join(',')}\r\n`;
  for await (const recorded of ledgerOf(log)) {
    if (format === 'jsonl') yield jsonLine(recorded);
    else yield* csvLines(recorded);
  }
}

export function jsonLine({ revision, id, event, metadata, position, createdAtMs }: RecordedLedgerEvent): string {
  const { type, data } = event;
  return `${JSON.stringify({ number: revision + 1, id, type, data, metadata, position, createdAtMs })}\n`;
}

const CSV_HEADER = ['number', 'time', 'type', 'commandId', 'actorId', 'actorRole', 'account', 'cents'];

function* csvLines({ revision, event, metadata }: RecordedLedgerEvent): Iterable<string> {
  const { at, commandId, actor } = metadata;
  const shared = [revision + 1, new Date(at).toISOString(), event.type, commandId, actor.id, actor.role];
  for (const { account, cents } of postingsOf(event)) yield `${[...shared, account, cents].map(quoted).join(',')}\r\n`;
}

/** Ids come from the log, where a forged one may hold anything. */
const quoted = (value: string | number): string => {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
