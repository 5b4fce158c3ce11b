import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { CommandId, GamerId } from '../../../contracts/ids.js';
import { Refused } from '../http/refused.js';
import { Ledger } from '../ledger/ledger.js';
import { PaymentsQueries } from '../payments/payments.queries.js';
import { Erasure } from './erasure.js';
import { type BegunRemoval, RemovalsStore } from './removals.store.js';

const EVERY_MS = 10_000;
/** Every node has forgotten the gamer's session and role by then (two seconds), and finished what it was doing for it. */
const SETTLED_AFTER_MS = 20_000;

export interface Removed {
  position: string;
  reassignedChildren: number;
}

/**
 * Removes gamers: note the intent, then the ledger, which may refuse, then the erasure. A node that dies on the way
 * leaves the intent, from which any node goes on. And everyone is erased once more a little later: what a node still let
 * the gamer do in the last seconds of their session is then gone too.
 */
@Injectable()
export class Removals implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('removals');
  private sweeping: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly ledger: Ledger,
    private readonly removals: RemovalsStore,
    private readonly erasure: Erasure,
    private readonly payments: PaymentsQueries,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.sweepUnlessBusy(), EVERY_MS);
    this.timer.unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.sweeping;
  }

  /** Throws Refused; or Unavailable, after which the removal may be asked for again, and goes on by itself. */
  async remove(gamerId: GamerId, by: { actorId: GamerId; commandId: CommandId }, now: Date): Promise<Removed> {
    if (await this.payments.hasOpenInvoice(gamerId)) throw new Refused('gamer-has-open-invoice');
    const begun = await this.removals.begin({ gamerId, ...by, begunAt: now });
    try {
      const removed = await this.removeFromLedger(begun);
      await this.erasure.erasePerson(gamerId);
      return removed;
    } catch (error) {
      // Refused at the first time of asking: nothing has happened, and nothing is left to do.
      if (error instanceof Refused && begun.commandId === by.commandId) await this.removals.end(gamerId);
      throw error;
    }
  }

  /** Brings to its end what was begun some time ago. One that fails does not keep the others waiting. */
  async sweep(now: Date): Promise<void> {
    for (const begun of await this.removals.begunBefore(new Date(now.getTime() - SETTLED_AFTER_MS))) {
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
      // A command of long ago is not remembered: that the ledger has no such gamer is what it was to bring about.
      if (error.refusal.code !== 'gamer-not-found') return this.removals.end(gamerId);
    }
    await this.erasure.erasePerson(gamerId);
    await this.erasure.eraseTickets(gamerId);
    await this.removals.end(gamerId);
  }

  /** By the command as it was first sent, so that a repeat is answered with the first result. */
  private async removeFromLedger({ gamerId, actorId, commandId }: BegunRemoval): Promise<Removed> {
    const by = { actor: { id: actorId, role: 'admin' as const }, commandId };
    const { events, position } = await this.ledger.execute({ type: 'RemoveGamer', gamerId }, by);
    const removed = events[0]?.event;
    if (removed?.type !== 'GamerRemoved') throw new Error('RemoveGamer was accepted without GamerRemoved');
    return { position, reassignedChildren: removed.data.moved.length };
  }

  private sweepUnlessBusy(): void {
    this.sweeping ??= this.sweep(new Date())
      .catch((error: Error) => this.logger.warn(`begun removals could not be read: ${error.message}`))
      .finally(() => {
        this.sweeping = undefined;
      });
  }
}
