import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export const ENCRYPTION_KEY_BYTES = 32;

/** AES-256-GCM: nonce, ciphertext, tag. `owner` must be named again to decrypt. A nonce with two plain texts breaks the encryption. */
export function encrypt(plain: Buffer, key: Buffer, owner: string, nonce = randomBytes(NONCE_BYTES)): Buffer {
  const used = nonce.subarray(0, NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, used).setAAD(Buffer.from(owner));
  return Buffer.concat([used, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Throws when the bytes were altered, or encrypted under another key or for another owner. */
export function decrypt(encrypted: Buffer, key: Buffer, owner: string): Buffer {
  if (encrypted.length < NONCE_BYTES + TAG_BYTES) throw new Error('too short to be encrypted');
  const decipher = createDecipheriv(CIPHER, key, encrypted.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(owner))
    .setAuthTag(encrypted.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(encrypted.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
}
