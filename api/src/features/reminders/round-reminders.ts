import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { RoundReminder } from '../../../../contracts/http/reminders.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { Ledger } from '../../ledger/ledger.js';
import { Clock } from '../../platform/clock.js';
import { PushSender } from './push-sender.js';
import { type PushSubscription, PushSubscriptionsStore } from './push-subscriptions.store.js';

/** Subscriptions taken at once, whose messages are sent together. A node that dies in between sends no more than these. */
const BATCH = 50;
const RETRY_MS = 1_000;

/** Reminds subscribed browsers when a round goes live. One node takes each subscription: one message a round. */
@Injectable()
export class RoundReminders implements OnApplicationShutdown {
  private readonly logger = new Logger('reminders');
  private isStopped = false;
  private sending = Promise.resolve();

  constructor(
    private readonly ledger: Ledger,
    private readonly subscriptions: PushSubscriptionsStore,
    private readonly sender: PushSender,
    private readonly clock: Clock,
  ) {
    ledger.onCommitted((committed) => {
      for (const { event } of committed.map(({ recorded }) => recorded)) {
        if (event.type !== 'LiveStarted') continue;
        const { roundId, endsAtEpochMs } = event.data;
        this.sending = this.sending.then(() => this.remind({ roundId, endsAtEpochMs }));
      }
    });
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    await this.sending;
  }

  /** Sends until every subscription is taken, or the round's opening time is over. Tries again while Postgres is unavailable. */
  private async remind(reminder: RoundReminder): Promise<void> {
    const counts = { sent: 0, gone: 0, failed: 0 };
    while (!this.isStopped && this.clock.now() < reminder.endsAtEpochMs) {
      try {
        const taken = await this.subscriptions.take(reminder.roundId, this.sender.publicKey, BATCH);
        if (taken.length === 0) break;
        const due = taken.filter(({ gamerId }) => this.mayPlay(gamerId));
        for (const outcome of await Promise.all(due.map((each) => this.send(each, reminder)))) counts[outcome] += 1;
      } catch (error) {
        this.logger.warn(`the reminders of round ${reminder.roundId} wait: ${(error as Error).message}`);
        await sleep(RETRY_MS);
      }
    }
    const { sent, gone, failed } = counts;
    if (sent + gone + failed > 0)
      this.logger.log(`round ${reminder.roundId}: ${sent} reminders sent, ${gone} gone, ${failed} failed`);
  }

  private mayPlay(gamerId: GamerId): boolean {
    return this.ledger.decided.exclusionOf(gamerId, this.clock.now()) === null;
  }

  private async send(subscription: PushSubscription, reminder: RoundReminder) {
    const secondsLeft = Math.ceil((reminder.endsAtEpochMs - this.clock.now()) / 1000);
    const outcome = await this.sender.send(subscription, reminder, Math.max(secondsLeft, 0));
    if (outcome === 'gone') await this.subscriptions.delete(subscription.endpoint, subscription.gamerId);
    return outcome;
  }

  /** The newest round of which a browser that subscribes now is not reminded: one that is live has begun without it. */
  get pastRoundId(): number {
    const { game } = this.ledger.committed;
    return game.phase === 'live' || game.phase === 'downtime' ? game.lastRoundId : game.lastRoundId - 1;
  }
}
