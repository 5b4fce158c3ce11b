import { Module } from '@nestjs/common';
import { Config } from '../../platform/config.js';
import { PushSender } from './push-sender.js';
import { PushSubscriptionsStore } from './push-subscriptions.store.js';
import { RemindersController } from './reminders.controller.js';
import { RoundReminders } from './round-reminders.js';

@Module({
  controllers: [RemindersController],
  providers: [
    PushSubscriptionsStore,
    RoundReminders,
    { provide: PushSender, useFactory: (config: Config) => new PushSender(config), inject: [Config] },
  ],
})
export class RemindersModule {}
