import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module.js';
import { LiveGateway } from './live.gateway.js';
import { PeopleFollower } from './people-follower.js';
import { SocketSessions } from './socket-sessions.js';

@Module({ imports: [LedgerModule], providers: [LiveGateway, PeopleFollower, SocketSessions] })
export class LiveModule {}
