import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MatrixGamerRow, MatrixLevelRow } from '../../../projections/src/views/matrix.entity.js';
import { GenealogyController } from './genealogy.controller.js';
import { GenealogyQueries } from './genealogy.queries.js';

@Module({
  imports: [TypeOrmModule.forFeature([MatrixGamerRow, MatrixLevelRow])],
  controllers: [GenealogyController],
  providers: [GenealogyQueries],
})
export class GenealogyModule {}
