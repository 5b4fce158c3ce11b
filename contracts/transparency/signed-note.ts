/** Signed notes (c2sp.org/signed-note) with Ed25519 signatures and cosignatures (c2sp.org/tlog-cosignature). */
import { type Bytes, concat, sha256, utf8 } from './tree.js';

/** The types of signatures that we make and verify; lines of other types are carried on. */
export const ED25519 = 1;
export const COSIGNATURE = 4;

const KEY_ID_BYTES = 4;
const KEY_BYTES = 32;
const TIME_BYTES = 8;
/** The texts want 16 at least. A line of ML-DSA-44 has 3.3 kB. */
const MAX_SIGNATURES = 64;
const MAX_NOTE_LENGTH = 200_000;

export class InvalidNote extends Error {}

/** A verifier's key. Its `text` is "name+id+base64" (a vkey). */
export interface VerifierKey {
  /** Empty for no log or witness. */
  name: string;
  /** Hex of the four bytes that signature lines begin with. */
  id: string;
  type: number;
  publicKey: Bytes;
  text: string;
}

export interface SignatureLine {
  name: string;
  keyId: string;
  /** The bytes after the key id. */
  signature: Bytes;
  /** The whole line, with its newline. */
  text: string;
}

export interface Note {
  /** The text with its last newline; it is what signatures cover. */
  text: string;
  signatures: readonly SignatureLine[];
}

export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

export function bytesOfHex(hex: string): Bytes {
  if (!/^(?:[0-9a-f]{2})*$/.test(hex)) throw new InvalidNote(`"${hex}" is not lower-case hex`);
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}

export const toBase64 = (bytes: Uint8Array): string => {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
};

/** Standard, padded and canonical base64 only. Throws InvalidNote. */
export function fromBase64(text: string): Bytes {
  let bytes: Bytes;
  try {
    bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    throw new InvalidNote('a text is not base64');
  }
  if (toBase64(bytes) !== text) throw new InvalidNote('a text is not canonical base64');
  return bytes;
}

/** The text and its signature lines, none of them verified. Throws InvalidNote. */
export function parseNote(note: string): Note {
  const end = note.lastIndexOf('\n\n') + 1;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a note must have none of them
  if (end === 0 || note.length > MAX_NOTE_LENGTH || /[\0-\x09\x0b-\x1f]/.test(note))
    throw new InvalidNote('this is not a signed note');
  const lines = note.slice(end + 1).split(/(?<=\n)/);
  if (lines.length > MAX_SIGNATURES) throw new InvalidNote('the note has too many signatures');
  return { text: note.slice(0, end), signatures: lines.map(parseSignatureLine) };
}

/** Throws InvalidNote. @param text with its newline */
function parseSignatureLine(text: string): SignatureLine {
  const [, name = '', encoded = ''] = /^— ([^\s+]+) ([A-Za-z0-9+/]+=*)\n$/.exec(text) ?? [];
  const bytes = fromBase64(encoded);
  if (bytes.length <= KEY_ID_BYTES) throw new InvalidNote('the note has a malformed signature line');
  const keyId = hexOf(bytes.subarray(0, KEY_ID_BYTES));
  return { name, keyId, signature: bytes.slice(KEY_ID_BYTES), text };
}

/** Throws InvalidNote, even when the id is not that of the key. */
export async function parseVerifierKey(text: string): Promise<VerifierKey> {
  const [, name = '', id = '', encoded = ''] = /^([^\s+]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text) ?? [];
  const bytes = fromBase64(encoded);
  const key = await verifierKey(name, bytes[0] ?? 0, bytes.slice(1));
  const isKnown = key.type === ED25519 || key.type === COSIGNATURE;
  if (key.text !== text || (isKnown && key.publicKey.length !== KEY_BYTES))
    throw new InvalidNote(`"${text}" is not a public key`);
  return { ...key, id };
}

async function verifierKey(name: string, type: number, publicKey: Bytes): Promise<VerifierKey> {
  const typed = concat([Uint8Array.of(type), publicKey]);
  const id = hexOf((await sha256(utf8(`${name}\n`), typed)).subarray(0, KEY_ID_BYTES));
  return { name, id, type, publicKey, text: `${name}+${id}+${toBase64(typed)}` };
}

/** `unknown`: this program cannot verify a signature of the key's type. */
export type SignatureVerdict = 'valid' | 'wrong' | 'absent' | 'unknown';

/** Whether the key signed the note. Among several lines of the key one wrong line makes it `wrong`. */
export async function verifySignature(note: Note, key: VerifierKey): Promise<SignatureVerdict> {
  const own = note.signatures.filter(({ name, keyId }) => name === key.name && keyId === key.id);
  if (own.length === 0) return 'absent';
  const publicKey = await importPublicKey(key);
  if (publicKey === null) return 'unknown';
  for (const { signature } of own) {
    const covered = key.type === COSIGNATURE ? coveredBy(note.text, signature) : ([note.text, signature] as const);
    if (covered === null) return 'wrong';
    const [message, ed25519] = covered;
    if (!(await crypto.subtle.verify('Ed25519', publicKey, ed25519, utf8(message)))) return 'wrong';
  }
  return 'valid';
}

/** The message that a cosignature covers, and the Ed25519 signature in it; null when it is too short or has no valid time. */
function coveredBy(text: string, signature: Bytes): [message: string, signature: Bytes] | null {
  if (signature.length <= TIME_BYTES) return null;
  const seconds = new DataView(signature.buffer, signature.byteOffset).getBigUint64(0);
  if (seconds === 0n || seconds >= 2n ** 63n) return null;
  return [cosignedMessage(text, seconds), signature.slice(TIME_BYTES)];
}

const cosignedMessage = (text: string, seconds: bigint): string => `cosignature/v1\ntime ${seconds}\n${text}`;

/** Null where the page is not served securely, the program does not know Ed25519, or the key is of another kind. */
async function importPublicKey({ type, publicKey }: Pick<VerifierKey, 'type' | 'publicKey'>): Promise<Key | null> {
  if (type !== ED25519 && type !== COSIGNATURE) return null;
  return crypto.subtle?.importKey('raw', publicKey, 'Ed25519', false, ['verify']).catch(() => null) ?? null;
}

/** Whether this program can verify signatures and compute hashes. */
export const canVerify = async (): Promise<boolean> =>
  (await importPublicKey({ type: ED25519, publicKey: new Uint8Array(KEY_BYTES) })) !== null;

type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

export type Signer = { key: VerifierKey; privateKey: Key };

/** The DER header of a PKCS #8 Ed25519 private key, which the 32 bytes of the seed follow (RFC 8410). */
const PRIVATE_KEY_HEADER = bytesOfHex('302e020100300506032b657004220420');

/** @param seed the 32 bytes of an Ed25519 private key (RFC 8032) @param type ED25519 for a log, COSIGNATURE for a witness */
export async function createSigner(name: string, type: number, seed: Uint8Array): Promise<Signer> {
  const encoded = concat([PRIVATE_KEY_HEADER, seed]);
  const privateKey = await crypto.subtle.importKey('pkcs8', encoded, 'Ed25519', true, ['sign']);
  const { x = '' } = await crypto.subtle.exportKey('jwk', privateKey);
  const publicKey = fromBase64(`${x.replaceAll('-', '+').replaceAll('_', '/')}=`);
  return { key: await verifierKey(name, type, publicKey), privateKey };
}

/** The signature line of a log. @param text with its last newline */
export const signatureLine = async ({ key, privateKey }: Signer, text: string): Promise<string> =>
  lineOf(key, new Uint8Array(await crypto.subtle.sign('Ed25519', privateKey, utf8(text))));

/** The signature line of a witness. */
export async function cosignatureLine({ key, privateKey }: Signer, text: string, atSeconds: number): Promise<string> {
  const seconds = BigInt(atSeconds);
  const signed = await crypto.subtle.sign('Ed25519', privateKey, utf8(cosignedMessage(text, seconds)));
  const time = new Uint8Array(TIME_BYTES);
  new DataView(time.buffer).setBigUint64(0, seconds);
  return lineOf(key, concat([time, new Uint8Array(signed)]));
}

const lineOf = ({ name, id }: VerifierKey, signature: Bytes): string =>
  `— ${name} ${toBase64(concat([bytesOfHex(id), signature]))}\n`;
