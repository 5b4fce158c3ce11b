import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { GamerRow } from '../../../projections/src/views/gamers.entity.js';
import { GamerNames } from './gamer-names.queries.js';

@Module({
  imports: [TypeOrmModule.forFeature([GamerRow])],
  providers: [GamerNames],
  exports: [GamerNames],
})
export class GamerNamesModule {}
