import { Global, Module } from '@nestjs/common';
import { Config } from '../config.js';
import { AfterPositionInterceptor } from './after-position.interceptor.js';
import { ReadCheckpoint } from './checkpoint.queries.js';
import { Clock } from './clock.js';

/** What every query controller needs. */
@Global()
@Module({
  providers: [
    Clock,
    AfterPositionInterceptor,
    { provide: ReadCheckpoint, useFactory: (config: Config) => new ReadCheckpoint(config), inject: [Config] },
  ],
  exports: [Clock, AfterPositionInterceptor, ReadCheckpoint],
})
export class ReadModelsModule {}
