import { createECDH, scryptSync } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import webPush from 'web-push';
import type { RoundReminder } from '../../../../contracts/http/reminders.js';
import { exclusionOf } from '../../../../domain/ledger/ledger-state.js';
import { Ledger } from '../../ledger/ledger.js';
import { Background } from '../../platform/background.js';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config.js';
import { type PushSubscription, PushSubscriptionsStore } from './push-subscriptions.store.js';

const SALT = 'omni-jackpot web push key 1';
const PRIVATE_KEY_BYTES = 32;
const TIMEOUT_MS = 10_000;
/** The push service then drops a subscription: the browser has withdrawn it, or it has expired. */
const GONE: readonly number[] = [404, 410];

/** `gone`: the subscription must be deleted. `failed`: the push service did not take the message. */
export type PushOutcome = 'sent' | 'gone' | 'failed';

/** Encrypts push messages (RFC 8291) and sends them to the browsers' push services, signed with this server's key. */
@Injectable()
export class PushSender {
  readonly publicKey: string;
  private readonly privateKey: string;

  constructor(private readonly config: Config) {
    const curve = createECDH('prime256v1');
    curve.setPrivateKey(scryptSync(config.pushSecret, SALT, PRIVATE_KEY_BYTES));
    this.publicKey = curve.getPublicKey('base64url');
    this.privateKey = curve.getPrivateKey('base64url');
  }

  /** Whether the address belongs to a push service: the server must not be made to call other addresses. */
  accepts(endpoint: string): boolean {
    if (!URL.canParse(endpoint)) return false;
    const { origin, protocol, hostname, username } = new URL(endpoint);
    if (username !== '') return false;
    return this.config.pushServices.some((service) =>
      service.includes('://')
        ? origin === service
        : origin === `https://${hostname}` && protocol === 'https:' && `.${hostname}`.endsWith(`.${service}`),
    );
  }

  /** @param ttlSeconds the push service keeps the message this long for a browser that is offline */
  async send({ endpoint, p256dh, auth }: PushSubscription, content: object, ttlSeconds: number): Promise<PushOutcome> {
    const subject = `mailto:${this.config.adminEmail}`;
    try {
      const { method, headers, body } = webPush.generateRequestDetails(
        { endpoint, keys: { p256dh, auth } },
        JSON.stringify(content),
        {
          vapidDetails: { subject, publicKey: this.publicKey, privateKey: this.privateKey },
          TTL: ttlSeconds,
          urgency: 'high',
          topic: 'round-live',
        },
      );
      const { status } = await fetch(endpoint, {
        method,
        headers: headers as Record<string, string>,
        body: new Uint8Array(body as Buffer),
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (GONE.includes(status)) return 'gone';
      return status < 300 ? 'sent' : 'failed';
    } catch {
      return 'failed';
    }
  }
}

/** Subscriptions taken at once, whose messages are sent together. A node that dies in between sends no more than these. */
const BATCH = 50;
const RETRY_MS = 1_000;

/** Reminds subscribed browsers when a round goes live. One node takes each subscription: one message a round. */
@Injectable()
export class RoundReminders {
  private readonly logger = new Logger('reminders');
  private sending = Promise.resolve();

  constructor(
    private readonly ledger: Ledger,
    private readonly subscriptions: PushSubscriptionsStore,
    private readonly sender: PushSender,
    private readonly clock: Clock,
    private readonly background: Background,
  ) {
    background.onStop(() => this.sending);
    ledger.onCommitted((committed) => {
      for (const { event } of committed.map(({ recorded }) => recorded)) {
        if (event.type !== 'LiveStarted') continue;
        const { roundId, endsAtEpochMs } = event.data;
        this.sending = this.sending.then(() => this.remind({ roundId, endsAtEpochMs }));
      }
    });
  }

  /** Sends until every subscription is taken, or the round's opening time is over. Tries again while Postgres is unavailable. */
  private async remind(reminder: RoundReminder): Promise<void> {
    const counts = { sent: 0, gone: 0, failed: 0 };
    while (!this.background.signal.aborted && this.clock.now() < reminder.endsAtEpochMs) {
      try {
        const taken = await this.subscriptions.take(reminder.roundId, this.sender.publicKey, BATCH);
        if (taken.length === 0) break;
        const nowMs = this.clock.now();
        const due = taken.filter(({ gamerId }) => exclusionOf(this.ledger.decided, gamerId, nowMs) === null);
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
