import { Module } from '@nestjs/common';
import { WithdrawalsModule } from '../withdrawals/withdrawals.module.js';
import { ExcludeGamerHandler, LiftExclusion, ReleaseBalance } from './protection.commands.js';
import { AdminProtectionController, ProtectionController } from './protection.controller.js';
import { ProtectionQueries } from './protection.queries.js';

@Module({
  imports: [WithdrawalsModule],
  controllers: [ProtectionController, AdminProtectionController],
  providers: [ExcludeGamerHandler, LiftExclusion.Handler, ProtectionQueries, ReleaseBalance.Handler],
})
export class ProtectionModule {}
