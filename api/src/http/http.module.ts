import { Global, Module } from '@nestjs/common';
import { GamerLimits } from './limits.store.js';
import { AfterPositionInterceptor } from './position.interceptors.js';
import { PublicReads, ReadCheckpoint } from './read-checkpoint.queries.js';
import { SessionStore } from './sessions.store.js';

@Global()
@Module({
  providers: [AfterPositionInterceptor, GamerLimits, PublicReads, ReadCheckpoint, SessionStore],
  exports: [AfterPositionInterceptor, GamerLimits, PublicReads, ReadCheckpoint, SessionStore],
})
export class HttpModule {}
