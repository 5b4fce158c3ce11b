import { canonicalize } from 'json-canonicalize';
import { type ClosedEvent, isOpened, type OpenedEvent } from '../../../../contracts/transparency/proof-file.js';
import { hexOf } from '../../../../contracts/transparency/signed-note.js';
import { sha256, utf8 } from '../../../../contracts/transparency/tree.js';

/** The chain hash after these events, hex. A second domain/ledger/chain.ts, so that nobody need trust the server. */
export async function chainAfter(before: string, events: readonly (OpenedEvent | ClosedEvent)[]): Promise<string> {
  let chain = before;
  for (const event of events) {
    const contentHash = isOpened(event) ? await contentHashOf(event) : event.contentHash;
    chain = await hashOfLines(chain, event.type, contentHash);
  }
  return chain;
}

const CHAINED_METADATA = ['commandId', 'commandHash', 'actor', 'at', 'schema'] as const;

function contentHashOf({ id, data, metadata }: OpenedEvent): Promise<string> {
  const chained = Object.fromEntries(CHAINED_METADATA.map((name) => [name, metadata[name]]));
  return hashOfLines(id, canonicalize(data), canonicalize(chained));
}

const hashOfLines = async (...lines: string[]): Promise<string> =>
  hexOf(await sha256(utf8(lines.map((line) => `${line}\n`).join(''))));
