import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { Config } from '../platform/config.js';
import { CheckpointsController } from './checkpoints.controller.js';
import { Checkpoints, LedgerSigners } from './checkpoints.js';
import { LedgerProofs } from './ledger-proofs.js';

@Module({
  imports: [AuditModule],
  controllers: [CheckpointsController],
  providers: [
    Checkpoints,
    LedgerProofs,
    { provide: LedgerSigners, useFactory: (config: Config) => new LedgerSigners(config), inject: [Config] },
  ],
})
export class CheckpointsModule {}
