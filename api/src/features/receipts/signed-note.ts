import { createPrivateKey, createPublicKey, hash, type KeyObject, sign } from 'node:crypto';

/** C2SP signed-note: the type of Ed25519 keys and signatures. */
const ED25519 = Buffer.from([1]);
/** The DER header of a PKCS #8 Ed25519 private key, which the 32 bytes of the seed follow (RFC 8410). */
const PRIVATE_KEY_HEADER = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_KEY_BYTES = 32;

export interface NoteSigner {
  name: string;
  /** The public key as text: "name+id+base64". */
  verifierKey: string;
  /** First four bytes of SHA-256 over the name, a line feed, the type and the public key. */
  keyId: Buffer;
  privateKey: KeyObject;
}

/** @param seed the 32 bytes of an Ed25519 private key (RFC 8032) */
export function noteSigner(name: string, seed: Buffer): NoteSigner {
  const privateKey = createPrivateKey({
    key: Buffer.concat([PRIVATE_KEY_HEADER, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const der = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const encoded = Buffer.concat([ED25519, der.subarray(-PUBLIC_KEY_BYTES)]);
  const keyId = hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), encoded]), 'buffer').subarray(0, 4);
  return { name, keyId, privateKey, verifierKey: `${name}+${keyId.toString('hex')}+${encoded.toString('base64')}` };
}

/** The text, which ends with a line feed, with a signature line of each signer (C2SP signed-note). */
export function signedNote(text: string, signers: readonly NoteSigner[]): string {
  const lines = signers.map(({ name, keyId, privateKey }) => {
    const signature = sign(null, Buffer.from(text), privateKey);
    return `— ${name} ${Buffer.concat([keyId, signature]).toString('base64')}\n`;
  });
  return `${text}\n${lines.join('')}`;
}
