import { createECDH, scryptSync } from 'node:crypto';
import { Body, Controller, Delete, Get, Injectable, Logger, Module, Put, UseGuards } from '@nestjs/common';
import { Matches } from 'class-validator';
import webPush from 'web-push';
import type { MessageResponse } from '../../../../contracts/http/headers.js';
import type * as http from '../../../../contracts/http/reminders.js';
import { ENDPOINT_MAX_LENGTH } from '../../../../contracts/limits.js';
import { exclusionOf } from '../../../../domain/ledger/ledger-state.js';
import { LoggedIn } from '../../http/guards.js';
import { CurrentGamer, type SessionGamer } from '../../http/session.js';
import { refuseAs, requiredText } from '../../http/validation.js';
import { Ledger } from '../../ledger/ledger.js';
import { Background } from '../../platform/background.js';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config.js';
import { Refused } from '../../platform/failures.js';
import { type PushSubscription, PushSubscriptionsStore } from './push-subscriptions.store.js';

const SALT = 'omni-jackpot web push key 1';
const PRIVATE_KEY_BYTES = 32;
const TIMEOUT_MS = 10_000;
/** The push service then drops a subscription: the browser has withdrawn it, or it has expired. */
const GONE: readonly number[] = [404, 410];

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

  /** Returns the push service's status. Throws when it cannot be reached. `ttlSeconds`: how long it keeps the message. */
  async send({ endpoint, p256dh, auth }: PushSubscription, content: object, ttlSeconds: number): Promise<number> {
    const subject = `mailto:${this.config.adminEmail}`;
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
    return status;
  }
}

/** Subscriptions taken at once, whose messages are sent together. A node that dies in between sends no more than these. */
const BATCH = 50;

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
        this.sending = this.sending
          .then(() => this.remind({ roundId, endsAtEpochMs }))
          .catch(({ message }: Error) => this.logger.warn(`round ${roundId}: not all reminders were sent: ${message}`));
      }
    });
  }

  private async remind(reminder: http.RoundReminder): Promise<void> {
    while (!this.background.signal.aborted && this.clock.now() < reminder.endsAtEpochMs) {
      const taken = await this.subscriptions.take(reminder.roundId, this.sender.publicKey, BATCH);
      if (taken.length === 0) return;
      const nowMs = this.clock.now();
      const due = taken.filter(({ gamerId }) => this.ledger.ask(exclusionOf, gamerId, nowMs) === null);
      await Promise.allSettled(due.map((each) => this.send(each, reminder)));
    }
  }

  private async send(subscription: PushSubscription, reminder: http.RoundReminder): Promise<void> {
    const secondsLeft = Math.ceil((reminder.endsAtEpochMs - this.clock.now()) / 1000);
    const status = await this.sender.send(subscription, reminder, Math.max(secondsLeft, 0));
    if (GONE.includes(status)) await this.subscriptions.delete(subscription.endpoint, subscription.gamerId);
  }
}

/** An uncompressed point of P-256, and 16 bytes (RFC 8291). */
const P256DH = /^[A-Za-z0-9_-]{87}=?$/;
const AUTH = /^[A-Za-z0-9_-]{22}={0,2}$/;

export class ForgetReminderDto implements http.ForgetReminderRequest {
  @requiredText('invalid-push-subscription', ENDPOINT_MAX_LENGTH) endpoint!: string;
}

export class RemindMeDto extends ForgetReminderDto implements http.RemindMeRequest {
  @Matches(P256DH, refuseAs('invalid-push-subscription')) p256dh!: string;
  @Matches(AUTH, refuseAs('invalid-push-subscription')) auth!: string;
}

@Controller('api/reminders')
export class RemindersController {
  constructor(
    private readonly subscriptions: PushSubscriptionsStore,
    private readonly sender: PushSender,
  ) {}

  /** The public key for which a browser subscribes to push messages. */
  @Get('key')
  key(): http.ReminderKeyResponse {
    return { key: this.sender.publicKey };
  }

  /** Reminds this browser when a round goes live. */
  @Put()
  @UseGuards(LoggedIn)
  async remind(
    @CurrentGamer() { gamerId, role }: SessionGamer,
    @Body() { endpoint, p256dh, auth }: RemindMeDto,
  ): Promise<MessageResponse> {
    if (role === 'admin') throw new Refused('admin-gets-no-reminders');
    if (!this.sender.accepts(endpoint)) throw new Refused('invalid-push-subscription');
    const subscription = { endpoint, gamerId, p256dh, auth };
    if (!(await this.subscriptions.save(subscription, this.sender.publicKey)))
      throw new Refused('invalid-push-subscription');
    return { message: 'This browser is reminded when a round goes live' };
  }

  /** Ends the reminders of this browser. */
  @Delete()
  @UseGuards(LoggedIn)
  async forget(@CurrentGamer() gamer: SessionGamer, @Body() body: ForgetReminderDto): Promise<MessageResponse> {
    await this.subscriptions.delete(body.endpoint, gamer.gamerId);
    return { message: 'This browser is not reminded any more' };
  }
}

@Module({ controllers: [RemindersController], providers: [PushSubscriptionsStore, RoundReminders, PushSender] })
export class RemindersModule {}
