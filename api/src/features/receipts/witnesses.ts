import { cosignersOf, type Policy, parsePolicy } from '../../../../contracts/transparency/policy.js';
import type { SignedHead } from '../../../../contracts/transparency/signed-head.js';
import {
  type Note,
  parseNote,
  type SignatureLine,
  verifySignature,
} from '../../../../contracts/transparency/signed-note.js';
import { InvalidSetting } from '../../../../event-log/settings.js';
import type { LogTilesQueries } from './log-tiles.queries.js';
import type { SignedHeadsStore } from './signed-heads.store.js';
import { WitnessClient } from './witness-client.js';

export interface WitnessPolicy extends Policy {
  /** As in the setting. */
  text: string;
}

/** The policy of the setting WITNESSES (c2sp.org/tlog-policy); null without it. Throws InvalidSetting. */
export async function witnessPolicy(setting: string): Promise<WitnessPolicy | null> {
  // Files of settings have one line for each.
  const text = setting.replaceAll('\\n', '\n');
  if (text.trim() === '') return null;
  try {
    return { text, ...(await parsePolicy(text)) };
  } catch (error) {
    throw new InvalidSetting(`WITNESSES is no policy: ${(error as Error).message}`);
  }
}

/** Has heads cosigned by the witnesses of the policy. */
export class Witnesses {
  /** When the oldest head was signed that should have its quorum by now; null when there is none. */
  unwitnessedSince: Date | null = null;
  private readonly clients: WitnessClient[];

  /** @param onFailure called when a witness gives no valid cosignature of a head */
  constructor(
    readonly policy: WitnessPolicy | null,
    private readonly heads: SignedHeadsStore,
    tiles: LogTilesQueries,
    onFailure: (witness: string, error: Error, isFirst: boolean) => void,
  ) {
    this.clients = (policy?.witnesses ?? []).flatMap(({ name, url }) => {
      if (url === null) return [];
      const take = (head: SignedHead, answer: string) => this.keep(head, answer);
      return [new WitnessClient(url, tiles, take, (error, isFirst) => onFailure(name, error, isFirst))];
    });
  }

  /** Asks all witnesses at once. One that is still busy with an earlier head gets this one next. */
  submit(head: SignedHead): void {
    for (const client of this.clients) client.submit(head);
  }

  /** Submits the newest head again if it lacks its quorum. */
  async check(): Promise<void> {
    if (this.policy === null) return;
    this.unwitnessedSince = await this.heads.unwitnessedSince();
    const head = await this.heads.newestForgotten();
    if (head !== null) this.submit(head);
  }

  /** Whether the policy counts the note as witnessed. */
  async isWitnessed(note: Note): Promise<boolean> {
    return this.policy?.hasQuorum(await cosignersOf(note, this.policy)) ?? false;
  }

  /** Stores the valid cosignatures of an answer. Throws when there is none, or a wrong one. */
  private async keep(head: SignedHead, answer: string): Promise<void> {
    const { text, signatures } = parseNote(`${head.text}\n${answer}`);
    const cosignatures: SignatureLine[] = [];
    for (const line of signatures) {
      const key = this.policy?.witnesses.find(({ key }) => key.name === line.name && key.id === line.keyId)?.key;
      if (key === undefined) continue;
      // `unknown`: a key of ML-DSA-44, which only others can verify.
      if ((await verifySignature({ text, signatures: [line] }, key)) === 'wrong')
        throw new Error(`the cosignature of ${line.name} is wrong`);
      cosignatures.push(line);
    }
    if (cosignatures.length === 0) throw new Error('no cosignature is by a key of the policy');
    await this.heads.addCosignatures(head, cosignatures, (note) => this.isWitnessed(note));
  }
}
