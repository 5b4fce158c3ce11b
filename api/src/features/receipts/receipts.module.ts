import { Logger, Module, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Counter, Gauge, Registry } from 'prom-client';
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

const SIGN_EVERY_MS = 10_000;
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

function registerGauges(registry: Registry, signer: HeadSigner, witnesses: Witnesses): void {
  new Gauge({
    name: 'ledger_signing_fault',
    help: '1 while this node signs nothing, because the log or the tiles contradict what was signed.',
    registers: [registry],
    collect() {
      this.set(signer.fault === null ? 0 : 1);
    },
  });
  new Gauge({
    name: 'ledger_unwitnessed_seconds',
    help: 'Age of the oldest signed head that lacks the quorum of its witnesses; 0 while none is older than a minute.',
    registers: [registry],
    async collect() {
      const since = await witnesses.unwitnessedSince().catch(() => null);
      this.set(since === null ? 0 : (Date.now() - since.getTime()) / 1_000);
    },
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
  private signing: Periodic | undefined;

  constructor(
    private readonly ledger: Ledger,
    private readonly signer: HeadSigner,
    private readonly witnesses: Witnesses,
    registry: Registry,
  ) {
    registerGauges(registry, signer, witnesses);
  }

  onApplicationBootstrap(): void {
    const task = async (): Promise<void> => {
      if (this.signer.isDue) await this.signer.sign();
      await this.witnesses.submitForgotten();
    };
    this.signing = every(SIGN_EVERY_MS, task, (error) => logger.warn(`no head was signed: ${error.message}`));
    this.ledger.onCommitted((committed) => {
      if (committed.some(({ recorded }) => recorded.event.type === 'RoundEnded')) this.signing?.runNow();
    });
    this.signing.runNow();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.signing?.stop();
  }
}
