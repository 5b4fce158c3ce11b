import canonicalize from 'canonicalize';
import type { AuditEvent } from '../../../../../contracts/http/audit.js';
import { hexOf, sha256, utf8 } from '../sha256.js';

/** What of an event's metadata the chain binds: all but the chain. */
const BOUND = ['commandId', 'commandHash', 'actor', 'at', 'schema'] as const;

/**
 * The chain of an event, worked out from the event as it was recorded: SHA-256 over, each ended by a line feed, the
 * chain before, the id, the type, and the canonical JSON (RFC 8785) of its data and of its metadata without the chain.
 * The server's own rule stands in domain/chain.ts; written again here, so that who reads need not believe the server.
 */
export async function recomputedChain({ recorded, chain }: Pick<AuditEvent, 'recorded' | 'chain'>): Promise<string> {
  const { id, type, data, metadata } = recorded as { id: string; type: string; data: unknown; metadata: object };
  const bound = Object.fromEntries(BOUND.map((name) => [name, (metadata as Record<string, unknown>)[name]]));
  const text = `${chain.before}\n${id}\n${type}\n${canonicalize(data)}\n${canonicalize(bound)}\n`;
  return hexOf(await sha256(utf8(text)));
}
