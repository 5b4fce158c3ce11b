import { type Bytes, hexOf, utf8 } from './recompute.js';

/** A signed head of the ledger: C2SP's tlog-checkpoint, in a signed note. */
export interface Checkpoint {
  note: string;
  name: string;
  size: number;
  chain: string;
  /** When it was signed, epoch milliseconds; NaN when it does not say. */
  atEpochMs: number;
  /** The key that it names as the one in force, "name+id+base64"; empty when it names none. */
  key: string;
}

/** Throws when the text is no checkpoint, such as a proxy's page. */
export function parseCheckpoint(note: string): Checkpoint {
  const [name = '', size = '', chain = '', ...lines] = partsOf(note).text.split('\n');
  const bytes = bytesOfBase64(chain);
  if (!/^(?:0|[1-9]\d{0,14})$/.test(size) || bytes.length !== 32)
    throw new Error('This is no checkpoint of the ledger.');
  const line = (label: string): string =>
    lines.find((one) => one.startsWith(`${label} `))?.slice(label.length + 1) ?? '';
  return { note, name, size: Number(size), chain: hexOf(bytes), atEpochMs: Date.parse(line('time')), key: line('key') };
}

/** `absent`: no line is of this key. `unknown`: this browser cannot check Ed25519 signatures. */
type Signature = 'valid' | 'wrong' | 'absent' | 'unknown';

export async function checkSignature(note: string, key: string): Promise<Signature> {
  const { text, signatures } = partsOf(note);
  const { name, keyId, publicKey } = parseKey(key);
  const own = signatures.find((line) => line.name === name && hexOf(line.bytes.slice(0, 4)) === keyId);
  if (!own) return 'absent';
  const imported = await importKey(publicKey);
  if (imported === null) return 'unknown';
  return (await crypto.subtle.verify('Ed25519', imported, own.bytes.slice(4), utf8(text))) ? 'valid' : 'wrong';
}

/** False where the page is not served securely, or the browser does not know Ed25519. */
export const canCheckSignatures = async (): Promise<boolean> => (await importKey(new Uint8Array(32))) !== null;

async function importKey(publicKey: Bytes) {
  try {
    return await crypto.subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify']);
  } catch {
    return null;
  }
}

function partsOf(note: string) {
  const end = note.lastIndexOf('\n\n');
  const signatures = note
    .slice(end + 2)
    .split('\n')
    .flatMap((line) => {
      const [, name, signed] = /^— (\S+) (\S+)$/.exec(line) ?? [];
      return name === undefined || signed === undefined ? [] : [{ name, bytes: bytesOfBase64(signed) }];
    });
  // The signed text includes its last line feed.
  return { text: note.slice(0, end + 1), signatures };
}

function parseKey(key: string) {
  const [, name = '', keyId = '', encoded = ''] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(key) ?? [];
  // The first byte is the type, Ed25519.
  return { name, keyId, publicKey: bytesOfBase64(encoded).slice(1) };
}

/** Empty for a text that is not base64. */
function bytesOfBase64(text: string): Bytes {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
