import { Global, Module } from '@nestjs/common';
import { AfterPositionInterceptor } from './position.interceptors.js';
import { RateLimits } from './rate-limits.store.js';
import { PublicQueryCache, ReadCheckpoint } from './read-checkpoint.queries.js';
import { SessionStore } from './sessions.store.js';

@Global()
@Module({
  providers: [AfterPositionInterceptor, RateLimits, PublicQueryCache, ReadCheckpoint, SessionStore],
  exports: [AfterPositionInterceptor, RateLimits, PublicQueryCache, ReadCheckpoint, SessionStore],
})
export class HttpModule {}
