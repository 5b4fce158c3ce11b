import { randomUUID } from 'node:crypto';
import {
  Body,
  Controller,
  Get,
  Injectable,
  Logger,
  Module,
  type OnApplicationShutdown,
  UseGuards,
} from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import pRetry, { type Options } from 'p-retry';
import { schemaOf } from '../../../../contracts/events/schemas.js';
import type * as http from '../../../../contracts/http/purchases.js';
import type { CommandId, GamerId, RoundId } from '../../../../contracts/ids.js';
import * as limits from '../../../../contracts/limits.js';
import { lateStream } from '../../../../contracts/streams.js';
import { type LatePurchase, latenessOf } from '../../../../contracts/transparency/signed-refusal.js';
import type { CommandMetadata } from '../../../../domain/ledger/ledger-commands.js';
import { EventLog } from '../../../../event-log/event-log.js';
import { type NewEvent, UnknownOutcome, WrongExpectedRevision } from '../../../../event-log/event-log.types.js';
import { LoggedIn, loggedInOr } from '../../http/guards.js';
import { ReadsViews } from '../../http/position.interceptors.js';
import { CurrentGamer, Metadata, mustBeOwn, PostCommand, type SessionGamer } from '../../http/session.js';
import { text, wholeNumber } from '../../http/validation.js';
import { Ledger } from '../../ledger/ledger.js';
import { ledgerCommand } from '../../ledger/ledger-command.js';
import { Clock } from '../../platform/clock.js';
import { Refused } from '../../platform/failures.js';
import { LedgerSigners } from '../receipts/ledger-signers.js';
import { ReceiptsModule } from '../receipts/receipts.controller.js';
import { PurchasesQueries } from './purchases.queries.js';

/** Retries after conflicts with other nodes on the stream of a round. */
const RETRIES: Options = {
  retries: 7,
  minTimeout: 0,
  shouldRetry: ({ error }) => error instanceof WrongExpectedRevision || error instanceof UnknownOutcome,
};

/** Refusals per append, well below EventStoreDB's 1 MiB. */
const MAX_PER_APPEND = 500;

/** Refusals of purchases that came too late (decision 60): signed at once, and recorded outside the ledger. */
@Injectable()
class LatePurchases implements OnApplicationShutdown {
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
    if (latenessOf(late) > limits.LATE_RECORDED_MS) return error;
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
        await pRetry(() => this.record(roundId, ofRound), RETRIES).catch(({ message }: Error) =>
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
      if (ofGamer?.has(commandId) || ofGamer?.size === limits.LATE_PURCHASES_PER_GAMER) continue;
      add(data.gamerId, commandId);
      const event = { type: 'PurchaseCameLate', data } as const;
      const actor = { id: data.gamerId, role: 'gamer' } as const;
      events.push({ id: randomUUID(), event, metadata: { actor, commandId, at, schema: schemaOf(event.type) } });
    }
    if (events.length > 0) await this.log.append(lateStream(roundId), events, head);
  }
}

/** Responds with the receipt of decision 40, made from the events: a replayed response is the same receipt. */
const BuyTokens = ledgerCommand('BuyTokens', (_command, { events }): http.PurchaseReceipt => {
  const [bought, extended] = events;
  if (bought?.event.type !== 'TokenPurchased' || extended?.event.type !== 'TimeExtended')
    throw new Error('BuyTokens was accepted without TokenPurchased and TimeExtended');
  const { purchaseId, roundId, quantity, costCents, purchaseBalanceCents } = bought.event.data;
  return {
    success: true,
    message: `Purchased ${quantity} Omni Token(s) successfully`,
    purchaseId,
    roundId,
    quantity,
    costCents,
    purchaseBalanceCents,
    receivedAtEpochMs: bought.event.data.receivedAtEpochMs,
    endsAtEpochMs: extended.event.data.endsAtEpochMs,
    revision: bought.revision,
    eventId: bought.id,
    chain: bought.metadata.chain,
  };
});

export class BuyFromBalanceDto implements http.BuyFromBalanceRequest {
  @wholeNumber(1, limits.MAX_TOKENS_PER_PURCHASE, 'invalid-quantity', 'too-many-tokens') quantity!: number;
  @text('login-to-buy') userId!: string;
}

@Controller('api')
export class PurchasesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: PurchasesQueries,
    private readonly late: LatePurchases,
  ) {}

  /** Buys tokens for the logged-in gamer, while the game is live. */
  @PostCommand('buy-from-balance')
  @UseGuards(loggedInOr('login-to-buy'))
  buyFromBalance(@Metadata() metadata: CommandMetadata, @Body() { quantity, userId }: BuyFromBalanceDto) {
    mustBeOwn(metadata.actor.id, userId);
    return this.commands
      .execute(new BuyTokens({ buyerId: userId, quantity }, metadata))
      .catch(async (error: unknown) => {
        throw await this.late.refusalOf(error, quantity, metadata);
      });
  }

  /** The latest purchases of all rounds, newest first. */
  @Get('purchases/recent')
  @ReadsViews('recent-purchases', 'gamers')
  async recent(): Promise<http.RecentPurchasesResponse> {
    return { purchases: await this.queries.recent() };
  }

  /** The session's purchases that came too late, newest first, with their signed refusals. */
  @Get('purchases/late')
  @UseGuards(LoggedIn)
  @ReadsViews('late-purchases')
  async latePurchases(@CurrentGamer() { gamerId }: SessionGamer): Promise<http.LatePurchasesResponse> {
    return { signedRefusals: await this.queries.refusalsOf(gamerId) };
  }
}

@Module({
  imports: [ReceiptsModule],
  controllers: [PurchasesController],
  providers: [LatePurchases, PurchasesQueries, BuyTokens.Handler],
  exports: [PurchasesQueries],
})
export class PurchasesModule {}
