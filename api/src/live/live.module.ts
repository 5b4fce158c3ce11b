import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module.js';
import { LiveGateway } from './live.gateway.js';

@Module({ imports: [LedgerModule], providers: [LiveGateway] })
export class LiveModule {}
