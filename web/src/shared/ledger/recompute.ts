import { canonicalize } from 'json-canonicalize';

export type Bytes = Uint8Array<ArrayBuffer>;

export interface Recomputed {
  hash: string;
  where: 'here' | 'on the server';
}

/** Browsers hash only on pages from localhost or over TLS, and a malformed input cannot be hashed. */
export const hereOrOnServer = (here: Promise<string>, byServer: string): Promise<Recomputed> =>
  here.then(
    (hash) => ({ hash, where: 'here' }),
    () => ({ hash: byServer, where: 'on the server' }),
  );

export const utf8 = (text: string): Bytes => new TextEncoder().encode(text);
const sha256 = async (bytes: Bytes): Promise<Bytes> => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));

export const hexOf = (bytes: Bytes): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

interface ChainedEvent {
  recorded: object;
  chain: { before: string };
}

const CHAINED_METADATA = ['commandId', 'commandHash', 'actor', 'at', 'schema'] as const;

const hashOfLines = async (...lines: string[]): Promise<string> =>
  hexOf(await sha256(utf8(lines.map((line) => `${line}\n`).join(''))));

/**
 * SHA-256 over the previous chain hash, the type and the content hash, which covers id, data and metadata. Implemented
 * a second time (as in domain/ledger/chain.ts), so that an auditor need not trust the server.
 */
export async function recomputeChain({ recorded, chain }: ChainedEvent): Promise<string> {
  const { id, type, data, metadata } = recorded as { id: string; type: string; data: unknown; metadata: object };
  const chained = Object.fromEntries(
    CHAINED_METADATA.map((name) => [name, (metadata as Record<string, unknown>)[name]]),
  );
  return hashOfLines(chain.before, type, await hashOfLines(id, canonicalize(data), canonicalize(chained)));
}
