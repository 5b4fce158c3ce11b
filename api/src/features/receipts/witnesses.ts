import { Logger } from '@nestjs/common';
import { Counter, type Registry } from 'prom-client';
import { cosignersOf, type Policy, parsePolicy } from '../../../../contracts/transparency/policy.js';
import type { SignedHead } from '../../../../contracts/transparency/signed-head.js';
import { parseNote, type SignatureLine, verifySignature } from '../../../../contracts/transparency/signed-note.js';
import { InvalidSetting } from '../../../../event-log/settings.js';
import type { LogTilesQueries } from './log-tiles.queries.js';
import type { SignedHeadsStore } from './signed-heads.store.js';
import { WitnessClient } from './witness-client.js';

export interface WitnessPolicy extends Policy {
  /** As in the setting. */
  text: string;
}

/** As many as tlog-policy recommends. A note with a line of each can be read again. */
const MAX_WITNESSES = 32;

/** The policy of the setting WITNESSES (c2sp.org/tlog-policy); null without it. Throws InvalidSetting. */
export async function witnessPolicy(setting: string): Promise<WitnessPolicy | null> {
  // Files of settings have one line for each.
  const text = setting.replaceAll('\\n', '\n');
  if (text.trim() === '') return null;
  try {
    const policy = await parsePolicy(text);
    if (policy.witnesses.length > MAX_WITNESSES) throw new Error(`it has more than ${MAX_WITNESSES} witnesses`);
    return { text, ...policy };
  } catch (error) {
    throw new InvalidSetting(`WITNESSES is no policy: ${(error as Error).message}`);
  }
}

const UNWITNESSED_AFTER_MS = 60_000;
/** A time and a signature of ML-DSA-44. */
const ML_DSA_BYTES = 8 + 2_420;

export class Witnesses {
  /** When the oldest head was signed that should have its quorum by now; null when there is none. */
  unwitnessedSince: Date | null = null;
  private readonly clients: WitnessClient[];

  constructor(
    readonly policy: WitnessPolicy | null,
    private readonly heads: SignedHeadsStore,
    tiles: LogTilesQueries,
    registry: Registry,
  ) {
    const logger = new Logger('witnesses');
    const failures = new Counter({
      name: 'ledger_witness_failures_total',
      help: 'Signed heads of which a witness gave no valid cosignature.',
      labelNames: ['witness'],
      registers: [registry],
    });
    this.clients = (policy?.witnesses ?? []).flatMap(({ name, url }) => {
      if (url === null) return [];
      const take = (head: SignedHead, answer: string) => this.keep(head, answer, url);
      const onFailure = ({ message }: Error, isFirst: boolean) => {
        failures.inc({ witness: name });
        if (isFirst) logger.warn(`${name} did not cosign: ${message}`);
      };
      return [new WitnessClient(url, tiles, take, onFailure)];
    });
  }

  /** Whether the policy is content with a head that nobody cosigned. */
  get needsNone(): boolean {
    return this.policy?.hasQuorum(new Set()) ?? false;
  }

  /** Asks all witnesses at once. One that is still busy with an earlier head gets this one next. */
  submit(head: SignedHead): void {
    for (const client of this.clients) client.submit(head);
  }

  /** Submits the newest head again if it lacks its quorum. The node that signed it may have ended. */
  async check(): Promise<void> {
    const unwitnessed = this.policy === null ? null : await this.heads.unwitnessed();
    const isLate = unwitnessed !== null && Date.now() - unwitnessed.since.getTime() > UNWITNESSED_AFTER_MS;
    this.unwitnessedSince = isLate ? unwitnessed.since : null;
    if (unwitnessed !== null) this.submit(unwitnessed.newest);
  }

  /** Stores the valid cosignatures of an answer. Throws when there is none, or a wrong one. @param from where it came from */
  private async keep(head: SignedHead, answer: string, from: string): Promise<void> {
    const note = parseNote(`${head.text}\n${answer}`);
    const cosignatures: SignatureLine[] = [];
    for (const { key, url } of this.policy?.witnesses ?? []) {
      // One line of each key, so that no answer makes the note too long to be read again.
      const line = note.signatures.find(({ name, keyId }) => name === key.name && keyId === key.id);
      if (line === undefined) continue;
      const verdict = await verifySignature(note, key);
      if (verdict === 'wrong') throw new Error(`the cosignature of ${key.name} is wrong`);
      // `unknown`: a key of ML-DSA-44, which only others can verify. Another witness may have invented the line.
      const isOwn = url === from && line.signature.length === ML_DSA_BYTES;
      if (verdict === 'valid' || isOwn) cosignatures.push(line);
    }
    if (cosignatures.length === 0) throw new Error('no cosignature is by a key of the policy');
    await this.heads.addCosignatures(
      head,
      cosignatures,
      async (note) => this.policy?.hasQuorum(await cosignersOf(note, this.policy)) ?? false,
    );
  }
}
