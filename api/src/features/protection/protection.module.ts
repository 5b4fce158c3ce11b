import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { OperatorProfile } from './operator-profile.js';
import { PlaySessionController } from './play-session.controller.js';
import { ConfirmLimits, ExcludeGamerHandler, LiftExclusion, ReleaseBalance, SetLimits } from './protection.commands.js';
import { AdminProtectionController, ProtectionController } from './protection.controller.js';
import { ProtectionQueries } from './protection.queries.js';
import { RealityChecksStore } from './reality-checks.store.js';

@Module({
  imports: [AuditModule],
  controllers: [PlaySessionController, ProtectionController, AdminProtectionController],
  providers: [
    ConfirmLimits.Handler,
    SetLimits.Handler,
    ExcludeGamerHandler,
    LiftExclusion.Handler,
    OperatorProfile,
    ProtectionQueries,
    RealityChecksStore,
    ReleaseBalance.Handler,
  ],
})
export class ProtectionModule {}
