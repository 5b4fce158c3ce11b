import { Module } from '@nestjs/common';
import { Registry } from 'prom-client';
import { Ledger } from '../../ledger/ledger.js';
import { Config } from '../../platform/config.js';
import { AuditModule } from '../audit/audit.module.js';
import { HeadSigner } from './head-signer.js';
import { LedgerProofs } from './ledger-proofs.js';
import { LedgerSigners } from './ledger-signers.js';
import { LogController } from './log.controller.js';
import { LogTilesQueries } from './log-tiles.queries.js';
import { ReceiptsController } from './receipts.controller.js';
import { SignedHeadsStore } from './signed-heads.store.js';
import { Witnesses, witnessPolicy } from './witnesses.js';

@Module({
  imports: [AuditModule],
  controllers: [LogController, ReceiptsController],
  providers: [
    HeadSigner,
    LedgerProofs,
    LogTilesQueries,
    SignedHeadsStore,
    {
      provide: LedgerSigners,
      useFactory: (config: Config, ledger: Ledger) => new LedgerSigners(config, () => ledger.decided.fields.losses),
      inject: [Config, Ledger],
    },
    {
      provide: Witnesses,
      useFactory: async (config: Config, heads: SignedHeadsStore, tiles: LogTilesQueries, registry: Registry) =>
        new Witnesses(await witnessPolicy(config.witnesses), heads, tiles, registry),
      inject: [Config, SignedHeadsStore, LogTilesQueries, Registry],
    },
  ],
  exports: [HeadSigner, LedgerSigners, Witnesses],
})
export class ReceiptsModule {}
