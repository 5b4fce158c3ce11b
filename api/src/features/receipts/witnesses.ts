import { Logger } from '@nestjs/common';
import { Counter, type Registry } from 'prom-client';
import { readAtMost } from '../../../../contracts/bounded-response.js';
import { cosignersOf, type Policy, parsePolicy } from '../../../../contracts/transparency/policy.js';
import type { SignedHead } from '../../../../contracts/transparency/signed-head.js';
import * as notes from '../../../../contracts/transparency/signed-note.js';
import { consistencyProof } from '../../../../contracts/transparency/tree.js';
import { InvalidSetting } from '../../../../event-log/settings.js';
import type { TransparencyLogStore } from './transparency-log.store.js';

export type WitnessPolicy = Policy & { text: string };

/** The number that tlog-policy recommends. A note with a line of each can be read again. */
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
    throw new InvalidSetting(`WITNESSES is not a policy: ${(error as Error).message}`);
  }
}

const UNWITNESSED_AFTER_MS = 60_000;
/** A time and a signature of ML-DSA-44. */
const ML_DSA_BYTES = 8 + 2_420;

export class Witnesses {
  /** Time of signing of the oldest head that should have its quorum by now, epoch ms; null when there is none. */
  unwitnessedSince: Date | null = null;
  private readonly clients: WitnessClient[];

  constructor(
    readonly policy: WitnessPolicy | null,
    private readonly log: TransparencyLogStore,
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
      const take = (head: SignedHead, response: string) => this.keep(head, response, url);
      const onFailure = ({ message }: Error, isFirst: boolean) => {
        failures.inc({ witness: name });
        if (isFirst) logger.warn(`${name} did not cosign: ${message}`);
      };
      return [new WitnessClient(url, log, take, onFailure)];
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
    const unwitnessed = this.policy === null ? null : await this.log.unwitnessed();
    const isLate = unwitnessed !== null && Date.now() - unwitnessed.since.getTime() > UNWITNESSED_AFTER_MS;
    this.unwitnessedSince = isLate ? unwitnessed.since : null;
    if (unwitnessed !== null) this.submit(unwitnessed.newest);
  }

  /** Stores the valid cosignatures of a response. Throws when there is none, or a wrong one. @param from where it came from */
  private async keep(head: SignedHead, response: string, from: string): Promise<void> {
    const note = notes.parseNote(`${head.text}\n${response}`);
    const cosignatures: notes.SignatureLine[] = [];
    for (const { key, url } of this.policy?.witnesses ?? []) {
      // One line of each key, so that no response makes the note too long to be read again.
      const line = note.signatures.find(({ name, keyId }) => name === key.name && keyId === key.id);
      if (line === undefined) continue;
      const verdict = await notes.verifySignature(note, key);
      if (verdict === 'wrong') throw new Error(`the cosignature of ${key.name} is wrong`);
      // `unknown`: a key of ML-DSA-44, which only others can verify. Another witness may have invented the line.
      const isOwn = url === from && line.signature.length === ML_DSA_BYTES;
      if (verdict === 'valid' || isOwn) cosignatures.push(line);
    }
    if (cosignatures.length === 0) throw new Error('no cosignature is by a key of the policy');
    await this.log.addCosignatures(
      head,
      cosignatures,
      async (note) => this.policy?.hasQuorum(await cosignersOf(note, this.policy)) ?? false,
    );
  }
}

const RESPONSE_TIMEOUT_MS = 5_000;
/** A line of ML-DSA-44 has 3.3 kB. */
const RESPONSE_LIMIT_BYTES = 64 * 1024;
/** After a 409 the proof is sent again, from the size that the response tells. */
const TRIES = 3;

/** Speaks add-checkpoint (c2sp.org/tlog-witness) with one witness, one request at a time. */
class WitnessClient {
  /** Size of the head that the witness cosigned last, as far as this node knows. */
  private size = 0;
  private waiting: SignedHead | null = null;
  private isBusy = false;
  private isFailing = false;

  constructor(
    private readonly url: string,
    private readonly log: TransparencyLogStore,
    private readonly keep: (head: SignedHead, response: string) => Promise<void>,
    /** `isFirst`: it is the first failure since the last success. */
    private readonly onFailure: (error: Error, isFirst: boolean) => void,
  ) {}

  /** Sends the head, after the response under way. Only the newest head waits. */
  submit(head: SignedHead): void {
    this.waiting = head;
    if (!this.isBusy) void this.sendWaiting();
  }

  private async sendWaiting(): Promise<void> {
    this.isBusy = true;
    for (let head = this.waiting; head !== null; head = this.waiting) {
      this.waiting = null;
      try {
        await this.cosign(head);
        this.isFailing = false;
      } catch (error) {
        this.onFailure(error as Error, !this.isFailing);
        this.isFailing = true;
      }
    }
    this.isBusy = false;
  }

  private async cosign(head: SignedHead): Promise<void> {
    for (let tries = 0; tries < TRIES && this.size <= head.size; tries += 1) {
      const { status, text } = await this.ask(head);
      if (status === 200) {
        await this.keep(head, text);
        this.size = head.size;
        return;
      }
      const [, size] = /^(0|[1-9]\d{0,14})\n$/.exec(text) ?? [];
      if (status !== 409 || size === undefined) throw new Error(`it answers ${status}`);
      this.size = Number(size);
    }
    // Another node sent it a newer head, or it invents sizes.
    const { size } = this;
    this.size = 0;
    throw new Error(`it wants a proof from ${size} to ${head.size} events`);
  }

  private async ask(head: SignedHead): Promise<{ status: number; text: string }> {
    const proof = await consistencyProof(this.size, head.size, this.log.tileReader());
    const response = await fetch(`${this.url}/add-checkpoint`, {
      method: 'POST',
      body: [`old ${this.size}`, ...proof.map(notes.toBase64), '', head.note].join('\n'),
      redirect: 'error',
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    });
    const bytes = await readAtMost(RESPONSE_LIMIT_BYTES, response, 'its response');
    return { status: response.status, text: new TextDecoder().decode(bytes) };
  }
}
