import { createPublicKey, verify } from 'node:crypto';

/** A signed head of the ledger, as docs/receipts.md describes it. */
export interface SignedHead {
  /** Number of events. */
  size: number;
  /** Chain hash of the last event, hex. */
  chain: string;
  /** When it was signed, as it says. */
  time: string;
}

/** Reads a signed head, and checks its signature by `key` ("name+id+base64"). Throws with the reason when either is wrong. */
export function openSignedHead(note: string, key: string): SignedHead {
  const end = note.lastIndexOf('\n\n') + 1;
  const [text, signatures] = [note.slice(0, end), note.slice(end + 1)];
  assertSigned(text, signatures, key);
  const [, size = '', chain = '', ...lines] = text.trimEnd().split('\n');
  const bytes = Buffer.from(chain, 'base64');
  if (!/^\d{1,15}$/.test(size) || bytes.length !== 32) throw new Error('the signed text is no head of the ledger');
  const time = lines.find((line) => line.startsWith('time '))?.slice('time '.length) ?? 'at an unknown time';
  return { size: Number(size), chain: bytes.toString('hex'), time };
}

function assertSigned(text: string, signatures: string, key: string): void {
  const [, name, keyId, encoded] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(key) ?? [];
  if (encoded === undefined) throw new Error(`"${key}" is no public key`);
  const own = signatures
    .split('\n')
    .map((line) => /^— (\S+) (\S+)$/.exec(line))
    .filter((parts) => parts?.[1] === name)
    .map((parts) => Buffer.from(parts?.[2] ?? '', 'base64'))
    .find((bytes) => bytes.subarray(0, 4).toString('hex') === keyId);
  if (!own) throw new Error(`it is not signed by the key ${key}`);
  // The first byte is the type of the key.
  const x = Buffer.from(encoded, 'base64').subarray(1).toString('base64url');
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  if (!verify(null, Buffer.from(text), publicKey, own.subarray(4))) throw new Error('its signature is wrong');
}
