import { Logger, Module, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import { Ledger } from '../../ledger/ledger.js';
import { Config } from '../../platform/config.js';
import { every, type Periodic } from '../../platform/every.js';
import { AuditModule } from '../audit/audit.module.js';
import { HeadSigner } from './head-signer.js';
import { LedgerProofs } from './ledger-proofs.js';
import { LedgerSigners } from './ledger-signers.js';
import { LogController } from './log.controller.js';
import { LogTilesQueries } from './log-tiles.queries.js';
import { ReceiptsController } from './receipts.controller.js';
import { SignedHeadsStore } from './signed-heads.store.js';
import { Witnesses, witnessPolicy } from './witnesses.js';

const CHECK_DUE_EVERY_MS = 1_000;
const CHECK_WITNESSES_EVERY_MS = 10_000;
const logger = new Logger('signed heads');

async function openWitnesses(
  config: Config,
  heads: SignedHeadsStore,
  tiles: LogTilesQueries,
  registry: Registry,
): Promise<Witnesses> {
  const failures = new Counter({
    name: 'ledger_witness_failures_total',
    help: 'Signed heads of which a witness gave no valid cosignature.',
    labelNames: ['witness'],
    registers: [registry],
  });
  return new Witnesses(await witnessPolicy(config.witnesses), heads, tiles, (witness, error, isFirst) => {
    failures.inc({ witness });
    if (isFirst) logger.warn(`the witness ${witness} did not cosign: ${error.message}`);
  });
}

@Module({
  imports: [AuditModule],
  controllers: [LogController, ReceiptsController],
  providers: [
    HeadSigner,
    LedgerProofs,
    LogTilesQueries,
    SignedHeadsStore,
    { provide: LedgerSigners, useFactory: (config: Config) => LedgerSigners.of(config), inject: [Config] },
    { provide: Witnesses, useFactory: openWitnesses, inject: [Config, SignedHeadsStore, LogTilesQueries, Registry] },
  ],
  exports: [HeadSigner, Witnesses],
})
export class ReceiptsModule implements OnApplicationBootstrap, OnApplicationShutdown {
  private repeated: Periodic[] = [];

  constructor(
    private readonly ledger: Ledger,
    private readonly signer: HeadSigner,
    private readonly witnesses: Witnesses,
  ) {}

  onApplicationBootstrap(): void {
    const { ledger, signer, witnesses } = this;
    const onError = (error: Error): void => logger.warn(`no head was signed: ${error.message}`);
    this.repeated = [
      every(CHECK_DUE_EVERY_MS, () => signer.signIfDue(), onError),
      every(CHECK_WITNESSES_EVERY_MS, () => witnesses.check(), onError),
    ];
    ledger.onCommitted((committed) => {
      if (committed.some(({ recorded }) => recorded.event.type === 'RoundEnded')) signer.sign().catch(onError);
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.repeated.map((one) => one.stop()));
  }
}
