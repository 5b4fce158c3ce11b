import { setTimeout as sleep } from 'node:timers/promises';
import { UnreadableResponse } from '../../contracts/bounded-response.js';
import { fetchHead, tileReader } from '../../contracts/transparency/log-client.js';
import { parseSignedHead, type SignedHead } from '../../contracts/transparency/signed-head.js';
import { InvalidNote, toBase64 } from '../../contracts/transparency/signed-note.js';
import { consistencyProof, isConsistent, isSame } from '../../contracts/transparency/tree.js';
import type { Witness } from './witness.js';

/** The site showed a head that does not extend the one before. Both are in the message. */
export class ContradictingHead extends Error {}

/** After a loss of history a log has another name, whose key the witness's operator must take from the site. */
const UNKNOWN_LOG =
  'the site shows a log that no --key is of. If the site’s public record says that its ledger lost events, ask its operator, and start with the new key, too:';

export interface FollowOptions {
  witness: Witness;
  /** The address below which the site serves its log. */
  prefix: string;
  intervalMs: number;
  /** How long the site may show an older head, or a head without the tiles that join it. Caches and nodes differ for seconds. */
  patienceMs: number;
  notify(line: string): void;
  /** Receives a line when the site cannot be checked, once for each reason. */
  warn(line: string): void;
  signal: AbortSignal;
}

/** Cosigns each new head that the site shows, until the signal. Throws ContradictingHead. */
export async function followSite(options: FollowOptions): Promise<void> {
  const { witness, prefix, intervalMs, patienceMs, notify, warn, signal } = options;
  let joinedAtMs = Date.now();
  let warned: string | null = null;
  while (!signal.aborted) {
    /** The head that must be joined to the one before. A site that is away, or shows another log, shows nothing that could be wrong. */
    let note: string | null = null;
    let problem: string | null;
    try {
      const shown = await fetchHead(prefix);
      const head = parseSignedHead(shown);
      if (witness.knows(head.origin)) note = shown;
      problem = note === null ? `${UNKNOWN_LOG} ${head.origin}` : await join(witness, prefix, head, notify);
    } catch (error) {
      if (!(error instanceof UnreadableResponse || error instanceof InvalidNote)) throw error;
      problem = error.message;
    }
    if (problem === null || note === null) joinedAtMs = Date.now();
    else if (Date.now() - joinedAtMs >= patienceMs)
      throw new ContradictingHead(`for ${patienceMs / 1000} s ${problem}:\n\n${note}`);
    if (problem !== null && problem !== warned) warn(problem);
    warned = problem;
    await sleep(intervalMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Null when the head is cosigned, now or before; else why it is not yet. */
async function join(witness: Witness, prefix: string, head: SignedHead, notify: (line: string) => void) {
  const newest = witness.newest(head.origin);
  if (newest?.size === head.size && isSame(newest.root, head.root)) return null;
  const readTile = tileReader(prefix);
  if (newest && head.size < newest.size) {
    const proof = await consistencyProof(head.size, newest.size, readTile);
    if (!(await isConsistent(head, newest, proof)))
      throw contradiction('the proof does not join the two heads', newest, head);
    return `the site shows ${head.size} events after ${newest.size}`;
  }
  const proof = await consistencyProof(newest?.size ?? 0, head.size, readTile);
  const lines = [`old ${newest?.size ?? 0}`, ...proof.map(toBase64)];
  const { status, body } = await witness.addCheckpoint(`${lines.join('\n')}\n\n${head.note}`);
  if (status === 200) {
    notify(`cosigned ${head.size} events`);
    return null;
  }
  const now = witness.newest(head.origin);
  // The log itself may have sent a head meanwhile.
  if (status === 409 && now?.size !== newest?.size) return null;
  throw contradiction(status === 409 ? 'the heads of one size have different roots' : body.trim(), now, head);
}

const contradiction = (message: string, before: SignedHead | null, head: SignedHead): ContradictingHead =>
  new ContradictingHead(
    `${message}\n\nThe newest cosigned head:\n\n${before?.note ?? 'none\n'}\nThe site’s head:\n\n${head.note}`,
  );
