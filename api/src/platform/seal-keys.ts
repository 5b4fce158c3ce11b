import { createHmac, scryptSync, timingSafeEqual } from 'node:crypto';

const KEY_BYTES = 32;

/** Authentication codes (HMAC-SHA-256) of what Postgres stores, under keys that Postgres does not hold. */
export class SealKeys {
  private readonly keys: readonly Buffer[];

  /**
   * @param secrets the one in force first; codes under the others are accepted
   * @param purpose gives each kind of content keys of its own
   */
  constructor(secrets: readonly string[], purpose: string) {
    // A reader of Postgres can test guesses of the secret, so each guess costs time and memory.
    this.keys = secrets.map((secret) => scryptSync(secret, purpose, KEY_BYTES));
  }

  of(text: string): Buffer {
    return sealUnder(this.keys[0] as Buffer, text);
  }

  isGenuine(text: string, seal: Buffer): boolean {
    return this.keys.some((key) => areSame(sealUnder(key, text), seal));
  }

  /** Whether the seal was made under the secret in force. */
  isCurrent(text: string, seal: Buffer): boolean {
    return areSame(this.of(text), seal);
  }
}

const sealUnder = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

const areSame = (due: Buffer, seal: Buffer): boolean => due.length === seal.length && timingSafeEqual(due, seal);
