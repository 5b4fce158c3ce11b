import type { GamerId } from './ids.js';

/**
 * A personal text in the ledger, encrypted under the key of its gamer: `sealed:1:<gamerId>:<base64url>`. Nothing follows the
 * last colon when the gamer was deleted before the text was written.
 */
const SEALED = /^sealed:1:([^:]+):([\w-]*)$/;
export const SEALED_PREFIX = 'sealed:1:';

/** Shown in place of a sealed text whose key is destroyed. */
export const ERASED_TEXT = 'erased';

export const sealedText = (gamerId: GamerId, sealed: Uint8Array): string =>
  `${SEALED_PREFIX}${gamerId}:${Buffer.from(sealed).toString('base64url')}`;

/** The gamer and the bytes of a sealed text; null for a plain text. */
export function readSealed(text: string): { gamerId: GamerId; sealed: Buffer } | null {
  const [, gamerId, sealed] = (text.startsWith(SEALED_PREFIX) && SEALED.exec(text)) || [];
  return gamerId === undefined ? null : { gamerId, sealed: Buffer.from(sealed as string, 'base64url') };
}

/** Whether a typed text would be read as a sealed one. */
export const posesAsSealed = (typed: string): boolean => typed.trimStart().startsWith(SEALED_PREFIX);

export const isSealed = (text: string): boolean => readSealed(text) !== null;
