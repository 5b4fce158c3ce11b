import { Module } from '@nestjs/common';
import { MailModule } from '../mail/mail.module.js';
import { PasswordResetsController } from './password-resets.controller.js';
import { PasswordResets } from './password-resets.js';

@Module({
  imports: [MailModule],
  controllers: [PasswordResetsController],
  providers: [PasswordResets],
})
export class PasswordResetsModule {}
