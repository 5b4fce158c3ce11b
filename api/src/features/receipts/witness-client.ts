import { readAtMost } from '../../../../contracts/transparency/log-client.js';
import type { SignedHead } from '../../../../contracts/transparency/signed-head.js';
import { toBase64 } from '../../../../contracts/transparency/signed-note.js';
import { consistencyProof } from '../../../../contracts/transparency/tree.js';
import type { LogTilesQueries } from './log-tiles.queries.js';

const ANSWER_WITHIN_MS = 5_000;
/** A line of ML-DSA-44 has 3.3 kB. */
const ANSWER_LIMIT_BYTES = 64 * 1024;
/** After a 409 the proof is sent again, from the size that the answer tells. */
const TRIES = 3;

/** Speaks add-checkpoint (c2sp.org/tlog-witness) with one witness, one request at a time. */
export class WitnessClient {
  /** Of the head that the witness cosigned last, as far as this node knows. */
  private size = 0;
  private waiting: SignedHead | null = null;
  private isBusy = false;
  private isFailing = false;

  constructor(
    private readonly url: string,
    private readonly tiles: LogTilesQueries,
    private readonly keep: (head: SignedHead, answer: string) => Promise<void>,
    /** `isFirst`: it is the first failure since the last success. */
    private readonly onFailure: (error: Error, isFirst: boolean) => void,
  ) {}

  /** Sends the head, after the answer under way. Only the newest head waits. */
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
    const proof = await consistencyProof(this.size, head.size, this.tiles.reader());
    const response = await fetch(`${this.url}/add-checkpoint`, {
      method: 'POST',
      body: [`old ${this.size}`, ...proof.map(toBase64), '', head.note].join('\n'),
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    const answer = await readAtMost(ANSWER_LIMIT_BYTES, response, 'its answer');
    return { status: response.status, text: new TextDecoder().decode(answer) };
  }
}
