import { createHash, randomBytes } from 'node:crypto';
import { RESET_TOKEN_LIFETIME_MS } from '../../../contracts/limits.js';

/* A token in a mailed link proves that its sender reads the mailbox. Only its digest is stored, and it is used once. */

const TOKEN_BYTES = 32;
const HOURS = RESET_TOKEN_LIFETIME_MS / 3_600_000;
export const TOKEN_LIFETIME_TEXT = HOURS === 1 ? 'one hour' : `${HOURS} hours`;

export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** The stored form of a token. A fast digest suffices: the token has 256 random bits. */
export const tokenHashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Mail to .invalid must reach nobody (RFC 2606): the first admin has such an address until one is set. */
export const canReceive = (email: string): boolean => !email.toLowerCase().endsWith('.invalid');
