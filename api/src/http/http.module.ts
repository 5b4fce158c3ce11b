import { Global, Module } from '@nestjs/common';
import { Config } from '../platform/config.js';
import { GamerLimits } from './limits.store.js';
import { AfterPositionInterceptor } from './position.interceptors.js';
import { PublicReads } from './public-reads.js';
import { ReadCheckpoint } from './read-checkpoint.queries.js';
import { SessionStore } from './session-store.js';

/** The providers that controllers and guards share. */
@Global()
@Module({
  providers: [
    AfterPositionInterceptor,
    GamerLimits,
    PublicReads,
    { provide: ReadCheckpoint, useFactory: (config: Config) => new ReadCheckpoint(config), inject: [Config] },
    SessionStore,
  ],
  exports: [AfterPositionInterceptor, GamerLimits, PublicReads, ReadCheckpoint, SessionStore],
})
export class HttpModule {}
