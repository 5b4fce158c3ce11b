import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { LedgerModule } from '../ledger/ledger.module.js';
import { GameControlController } from './game-control.controller.js';
import {
  ChangeTimersHandler,
  ForceStartLiveHandler,
  ResetGameHandler,
  StartGameHandler,
} from './game-control.handlers.js';

@Module({
  imports: [CqrsModule, LedgerModule],
  controllers: [GameControlController],
  providers: [StartGameHandler, ForceStartLiveHandler, ResetGameHandler, ChangeTimersHandler],
})
export class GameControlModule {}
