import { Module } from '@nestjs/common';
import { Config } from '../../platform/config.js';
import { AuditModule } from '../audit/audit.module.js';
import { LedgerProofs } from './ledger-proofs.js';
import { CheckpointsController } from './receipts.controller.js';
import { Checkpoints, LedgerSigners } from './signed-heads.js';

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
