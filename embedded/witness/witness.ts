import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { parseSignedHead, type SignedHead } from '../../contracts/transparency/signed-head.js';
import * as notes from '../../contracts/transparency/signed-note.js';
import { type Bytes, HASH_BYTES, isConsistent, isSame, sha256 } from '../../contracts/transparency/tree.js';
import { replaceFile } from '../shared/replace-file.js';

/** The content of a witness's file, which it alone writes. */
interface State {
  name: string;
  /** Hex of the private key's 32 bytes. */
  seed: string;
  /** The newest cosigned head by origin, with the log's signature and the cosignature. */
  heads: Record<string, string>;
}

export interface HttpResponse {
  status: number;
  body: string;
  /** `text/plain` when absent. */
  contentType?: string;
}

interface Request {
  oldSize: number;
  proof: readonly Bytes[];
  head: SignedHead;
}

const MAX_PROOF_LINES = 63;
const SIZE_TYPE = 'text/x.tlog.size';

/** Cosigns a head only when it extends the one that it cosigned before: c2sp.org/tlog-witness. */
export class Witness {
  /** Requests change the file one after another. */
  private last: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly file: string,
    private state: State,
    private readonly signer: notes.Signer,
    private readonly logs: readonly notes.VerifierKey[],
    private readonly now: () => number,
  ) {}

  /** Reads the file, or creates it with a new key. @param logs keys of the logs to cosign; their names are the origins */
  static async open(file: string, logs: readonly notes.VerifierKey[], now: () => number = Date.now): Promise<Witness> {
    const state = existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as State) : newState();
    const signer = await notes.createSigner(state.name, notes.COSIGNATURE, notes.bytesOfHex(state.seed));
    const witness = new Witness(file, state, signer, logs, now);
    if (!existsSync(file)) await witness.save(state);
    return witness;
  }

  /** The witness's line in the policy of a log (c2sp.org/tlog-policy). @param url where the log reaches the witness */
  policyLine(url: string): string {
    const { name, text } = this.signer.key;
    return `witness ${name} ${text} ${url}`;
  }

  knows(origin: string): boolean {
    return this.logs.some(({ name }) => name === origin);
  }

  /** The newest cosigned head of a log; null before the first. */
  newest(origin: string): SignedHead | null {
    const note = Object.hasOwn(this.state.heads, origin) ? this.state.heads[origin] : undefined;
    return note === undefined ? null : parseSignedHead(note);
  }

  /** Answers a request to add-checkpoint. A cosigned head is in the file before the response. */
  async addCheckpoint(body: string): Promise<HttpResponse> {
    let request: Request;
    try {
      request = parseRequest(body);
    } catch (error) {
      if (error instanceof notes.InvalidNote) return refusal(400, error.message);
      throw error;
    }
    const { head, oldSize } = request;
    const keys = this.logs.filter(({ name }) => name === head.origin);
    if (keys.length === 0) return refusal(404, 'this witness does not know that log');
    const verdicts = await Promise.all(keys.map((key) => notes.verifySignature(head, key)));
    if (!verdicts.includes('valid') || verdicts.includes('wrong'))
      return refusal(403, 'this head is not signed by a trusted key of the log');
    if (oldSize > head.size) return refusal(400, 'the old size is larger than the new one');
    const response = this.last.then(() => this.extend(request, keys));
    this.last = response.catch(() => undefined);
    return response;
  }

  private async extend({ head, oldSize, proof }: Request, keys: readonly notes.VerifierKey[]): Promise<HttpResponse> {
    const newest = this.newest(head.origin) ?? { size: 0, root: await sha256() };
    const isFork = head.size === newest.size && !isSame(head.root, newest.root);
    if (oldSize !== newest.size || isFork) return { status: 409, body: `${newest.size}\n`, contentType: SIZE_TYPE };
    if (!(await isConsistent(newest, head, proof))) return refusal(422, 'the proof does not join the two heads');
    const line = await notes.cosignatureLine(this.signer, head.text, Math.floor(this.now() / 1000));
    const isOfLog = ({ name, keyId }: { name: string; keyId: string }) =>
      keys.some((key) => key.name === name && key.id === keyId);
    const signatures = head.signatures.filter(isOfLog).map(({ text }) => text);
    const note = `${head.text}\n${signatures.join('')}${line}`;
    await this.save({ ...this.state, heads: { ...this.state.heads, [head.origin]: note } });
    return { status: 200, body: line };
  }

  private async save(state: State): Promise<void> {
    await replaceFile(this.file, `${JSON.stringify(state, null, 2)}\n`);
    this.state = state;
  }
}

const newState = (): State => ({
  name: `witness.invalid/${randomBytes(4).toString('hex')}`,
  seed: randomBytes(32).toString('hex'),
  heads: {},
});

const refusal = (status: number, message: string): HttpResponse => ({ status, body: `${message}\n` });

function parseRequest(body: string): Request {
  const end = body.indexOf('\n\n');
  const [first = '', ...lines] = body.slice(0, Math.max(end, 0)).split('\n');
  const [, oldSize] = /^old (0|[1-9]\d{0,15})$/.exec(first) ?? [];
  if (oldSize === undefined) throw new notes.InvalidNote('the request has no line with the old size');
  if (lines.length > MAX_PROOF_LINES) throw new notes.InvalidNote('the proof has too many lines');
  const proof = lines.map(notes.fromBase64);
  if (proof.some(({ length }) => length !== HASH_BYTES)) throw new notes.InvalidNote('the proof has a malformed hash');
  return { oldSize: Number(oldSize), proof, head: parseSignedHead(body.slice(end + 2)) };
}
