import { Global, Module } from '@nestjs/common';
import { AfterPositionInterceptor } from './position.interceptors.js';
import { RateLimits } from './rate-limits.store.js';
import { PublicQueryCache, ReadCheckpoint } from './read-checkpoint.queries.js';
import { SessionStore } from './sessions.store.js';

const SERVICES = [AfterPositionInterceptor, RateLimits, PublicQueryCache, ReadCheckpoint, SessionStore];

@Global()
@Module({ providers: SERVICES, exports: SERVICES })
export class HttpModule {}
