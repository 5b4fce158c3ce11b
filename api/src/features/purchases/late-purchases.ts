import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import pRetry from 'p-retry';
import { currentVersionOf } from '../../../../contracts/events/schemas.js';
import type { CommandId, GamerId, RoundId } from '../../../../contracts/ids.js';
import { LATE_RECORDED_MS, MAX_LATE_PURCHASES_PER_GAMER } from '../../../../contracts/limits.js';
import { lateStream } from '../../../../contracts/streams.js';
import { type LatePurchase, latenessOf } from '../../../../contracts/transparency/signed-refusal.js';
import type { CommandMetadata } from '../../../../domain/ledger/ledger-commands.js';
import { EventLog } from '../../../../event-log/event-log.js';
import type { NewEvent } from '../../../../event-log/event-log.types.js';
import { Ledger } from '../../ledger/ledger.js';
import { CONFLICT_RETRIES } from '../../ledger/stream-commands.js';
import { Clock } from '../../platform/clock.js';
import { Refused } from '../../platform/failures.js';
import { LedgerSigners } from '../receipts/ledger-signers.js';

/** Refusals per append, well below EventStoreDB's 1 MiB. */
const MAX_PER_APPEND = 500;

/** Refusals of purchases that came too late (decision 60): signed at once, and recorded outside the ledger. */
@Injectable()
export class LatePurchases implements OnApplicationShutdown {
  private readonly waiting: LatePurchase[] = [];
  private recording: Promise<void> | undefined;
  private readonly logger = new Logger('late purchases');

  constructor(
    private readonly log: EventLog,
    private readonly ledger: Ledger,
    private readonly signers: LedgerSigners,
    private readonly clock: Clock,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await this.recording;
  }

  /** The error to respond with: a refusal soon after a round's end gets a signature; any other error is returned unchanged. */
  async refusalOf(error: unknown, quantity: number, { actor, commandId }: CommandMetadata): Promise<unknown> {
    const refusal = error instanceof Refused ? error.refusal : null;
    if (refusal === null || !('late' in refusal) || !refusal.late) return error;
    const late = { ...refusal.late, gamerId: actor.id, quantity, commandId, ledgerSize: this.ledger.head.revision + 1 };
    if (latenessOf(late) > LATE_RECORDED_MS) return error;
    this.waiting.push(late);
    // The response does not wait for the record: the signature is evidence enough.
    this.recording ??= this.recordWaiting();
    return new Refused({ ...refusal, signedRefusal: await this.signers.signRefusal(late) });
  }

  private async recordWaiting(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, MAX_PER_APPEND);
      for (const roundId of new Set(batch.map((late) => late.roundId))) {
        const ofRound = batch.filter((late) => late.roundId === roundId);
        // After a conflict or an unknown outcome the retry reads which refusals the stream lacks.
        await pRetry(() => this.record(roundId, ofRound), CONFLICT_RETRIES).catch(({ message }: Error) =>
          this.logger.error(`${ofRound.length} refusals of round ${roundId} were signed, but not recorded: ${message}`),
        );
      }
    }
    // Reset before returning: a later arrival starts a new run.
    this.recording = undefined;
  }

  /** Appends the refusals that the stream lacks, at most three per gamer: the first ones, which are also the nearest to zero. */
  private async record(roundId: RoundId, waiting: readonly LatePurchase[]): Promise<void> {
    let at = this.clock.now();
    const recorded = new Map<GamerId, Set<CommandId>>();
    const add = (gamerId: GamerId, commandId: CommandId) =>
      recorded.set(gamerId, (recorded.get(gamerId) ?? new Set()).add(commandId));
    const { events: stored, head } = await this.log.readWithHead(lateStream(roundId));
    for (const { metadata } of stored) {
      add(metadata.actor.id, metadata.commandId);
      at = Math.max(at, metadata.at);
    }
    const events: NewEvent[] = [];
    for (const { commandId, ...data } of waiting) {
      const ofGamer = recorded.get(data.gamerId);
      if (ofGamer?.has(commandId) || ofGamer?.size === MAX_LATE_PURCHASES_PER_GAMER) continue;
      add(data.gamerId, commandId);
      const event = { type: 'PurchaseCameLate', data } as const;
      const actor = { id: data.gamerId, role: 'gamer' } as const;
      events.push({
        id: randomUUID(),
        event,
        metadata: { actor, commandId, at, schema: currentVersionOf(event.type) },
      });
    }
    if (events.length > 0) await this.log.append(lateStream(roundId), events, head);
  }
}
