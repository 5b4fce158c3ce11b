import { Injectable, Logger } from '@nestjs/common';
import { Pool } from 'pg';
import type { DeleteGamerResponse } from '../../../../contracts/http/gamers.js';
import type { CommandId, GamerId } from '../../../../contracts/ids.js';
import { gamerStream, postStream, ticketStream } from '../../../../contracts/streams.js';
import type { CommandMetadata } from '../../../../domain/ledger/ledger-commands.js';
import { EventLog } from '../../../../event-log/event-log.js';
import { WithPosition } from '../../http/position.interceptors.js';
import { SessionStore } from '../../http/sessions.store.js';
import { Ledger } from '../../ledger/ledger.js';
import { dataOf } from '../../ledger/ledger-command.js';
import { Background } from '../../platform/background.js';
import { Clock } from '../../platform/clock.js';
import { Refused } from '../../platform/failures.js';
import { PaymentsQueries } from '../payments/payments.queries.js';
import { AccountsStore } from './accounts.store.js';
import { ExcludedMailboxes } from './excluded-mailboxes.store.js';

type BegunRemoval = { gamerId: GamerId; actorId: GamerId; commandId: CommandId; begunAt: Date };

const COLUMNS = 'gamer_id AS "gamerId", actor_id AS "actorId", command_id AS "commandId", begun_at AS "begunAt"';

const SWEEP_INTERVAL_MS = 10_000;
/** Within this time every node drops the gamer's session and role (two seconds) and finishes the gamer's requests. */
const ERASED_AGAIN_AFTER_MS = 20_000;

/**
 * Removes a gamer in four steps: 1. store an excluded gamer's mailbox, 2. store the intent, 3. remove the gamer from the ledger, which
 * may refuse, 4. erase the data. When a node dies in between, any node continues from the stored intent. A sweep erases every removed
 * gamer once more after ERASED_AGAIN_AFTER_MS: the last requests of their session may have written data on another node.
 */
@Injectable()
export class Removals {
  private readonly logger = new Logger('removals');

  constructor(
    private readonly ledger: Ledger,
    private readonly pool: Pool,
    private readonly accounts: AccountsStore,
    private readonly sessions: SessionStore,
    private readonly log: EventLog,
    private readonly payments: PaymentsQueries,
    private readonly mailboxes: ExcludedMailboxes,
    private readonly clock: Clock,
    background: Background,
  ) {
    background.every(SWEEP_INTERVAL_MS, () => this.sweep(new Date()), 'unfinished removals could not be read');
  }

  /** Throws Refused; or Unavailable, after which the command may be sent again, and the removal continues by itself. */
  async remove(gamerId: GamerId, { actor, commandId }: CommandMetadata): Promise<WithPosition<DeleteGamerResponse>> {
    const begunAt = new Date(this.clock.now());
    if (await this.payments.hasOpenInvoice(gamerId, begunAt.getTime())) throw new Refused('gamer-has-open-invoice');
    if (this.mailboxes.isExcluded(gamerId)) await this.mailboxes.store(gamerId);
    const begun = await this.begin({ gamerId, actorId: actor.id, commandId, begunAt });
    try {
      const { position, reassignedChildren } = await this.removeFromLedger(begun);
      await this.erasePerson(gamerId);
      return new WithPosition(position, { message: 'The gamer is deleted', details: { reassignedChildren } });
    } catch (error) {
      // The ledger refused this command itself: nothing has happened, so nothing is left to finish.
      if (error instanceof Refused && begun.commandId === commandId) await this.end(gamerId);
      throw error;
    }
  }

  async sweep(now: Date): Promise<void> {
    const { rows } = await this.pool.query<BegunRemoval>(
      `SELECT ${COLUMNS} FROM auth.removals WHERE begun_at <= $1 ORDER BY begun_at, gamer_id`,
      [new Date(now.getTime() - ERASED_AGAIN_AFTER_MS)],
    );
    for (const begun of rows) {
      await this.finish(begun).catch((error: Error) => {
        this.logger.error(`the removal of ${begun.gamerId} cannot be finished yet: ${error.message}`);
      });
    }
  }

  private async finish(begun: BegunRemoval): Promise<void> {
    const { gamerId } = begun;
    try {
      await this.removeFromLedger(begun);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      // The ledger forgets old command ids; gamer-not-found then means that the gamer is removed already.
      if (error.refusal.code !== 'gamer-not-found') return this.end(gamerId);
    }
    await this.erasePerson(gamerId);
    await this.eraseTicketsAndPosts(gamerId);
    await this.end(gamerId);
  }

  /** Erases account, sessions and the gamer's stream (decision 38). Idempotent, as `eraseTicketsAndPosts` is. */
  async erasePerson(gamerId: GamerId): Promise<void> {
    await this.sessions.endOthersOf(gamerId);
    await this.accounts.erase(gamerId);
    await this.mailboxes.forget(gamerId);
    await this.log.tombstoneStream(gamerStream(gamerId));
  }

  /** Finds the gamer's tickets and posts in the log, because the read models have already erased them. */
  private async eraseTicketsAndPosts(gamerId: GamerId): Promise<void> {
    const streams = new Set<string>();
    for await (const { stream, event } of this.log.readAll([ticketStream(''), postStream('')])) {
      const isFirst = event.type === 'TicketOpened' || event.type === 'PostPublished';
      if (isFirst && event.data.gamerId === gamerId) streams.add(stream);
    }
    for (const stream of streams) await this.log.tombstoneStream(stream);
  }

  /** Sends the command with its first metadata, so that a repeated removal gets the first result. */
  private async removeFromLedger({ gamerId, actorId, commandId }: BegunRemoval) {
    const metadata = { actor: { id: actorId, role: 'admin' as const }, commandId };
    const result = await this.ledger.execute({ type: 'RemoveGamer', gamerId }, metadata);
    return { position: result.position, reassignedChildren: dataOf(result, 'GamerRemoved').moved.length };
  }

  /** Stores the intent. Idempotent: returns the stored intent when the gamer's removal has begun before. */
  private async begin({ gamerId, actorId, commandId, begunAt }: BegunRemoval): Promise<BegunRemoval> {
    const { rows } = await this.pool.query<BegunRemoval>(
      `INSERT INTO auth.removals (gamer_id, actor_id, command_id, begun_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (gamer_id) DO UPDATE SET gamer_id = excluded.gamer_id RETURNING ${COLUMNS}`,
      [gamerId, actorId, commandId, begunAt],
    );
    return rows[0] as BegunRemoval;
  }

  private async end(gamerId: GamerId): Promise<void> {
    await this.pool.query('DELETE FROM auth.removals WHERE gamer_id = $1', [gamerId]);
  }
}
