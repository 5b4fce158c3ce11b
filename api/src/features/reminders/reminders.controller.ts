import { Body, Controller, Delete, Get, Module, Put, UseGuards } from '@nestjs/common';
import { Matches } from 'class-validator';
import type { MessageResponse } from '../../../../contracts/http/headers.js';
import type * as http from '../../../../contracts/http/reminders.js';
import { ENDPOINT_MAX_LENGTH } from '../../../../contracts/limits.js';
import { LoggedIn } from '../../http/guards.js';
import { CurrentGamer, type SessionGamer } from '../../http/session.js';
import { refuseAs, requiredText } from '../../http/validation.js';
import { Clock } from '../../platform/clock.js';
import { Refused } from '../../platform/failures.js';
import { PushSubscriptionsStore } from './push-subscriptions.store.js';
import { PushSender, RoundReminders } from './round-reminders.js';

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
    private readonly reminders: RoundReminders,
    private readonly clock: Clock,
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
    const isSaved = await this.subscriptions.save(
      { endpoint, gamerId, p256dh, auth },
      { serverKey: this.sender.publicKey, roundId: this.reminders.pastRoundId, now: new Date(this.clock.now()) },
    );
    if (!isSaved) throw new Refused('invalid-push-subscription');
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
