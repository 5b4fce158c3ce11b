import { Global, Module } from '@nestjs/common';
import { StreamCommands } from './stream-commands.js';

@Global()
@Module({ providers: [StreamCommands], exports: [StreamCommands] })
export class StreamsModule {}
