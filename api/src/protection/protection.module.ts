import { Module } from '@nestjs/common';
import { WithdrawalsModule } from '../withdrawals/withdrawals.module.js';
import { ConfirmLimits, ExcludeGamerHandler, LiftExclusion, ReleaseBalance, SetLimits } from './protection.commands.js';
import { AdminProtectionController, ProtectionController } from './protection.controller.js';
import { ProtectionQueries } from './protection.queries.js';

@Module({
  imports: [WithdrawalsModule],
  controllers: [ProtectionController, AdminProtectionController],
  providers: [
    ConfirmLimits.Handler,
    SetLimits.Handler,
    ExcludeGamerHandler,
    LiftExclusion.Handler,
    ProtectionQueries,
    ReleaseBalance.Handler,
  ],
})
export class ProtectionModule {}
