import { IsOptional, IsString, MaxLength } from 'class-validator';
import type { GamerId } from '../../../contracts/ids.js';
import { FIND_MAX_LENGTH } from '../../../contracts/limits.js';
import { Page } from '../http/page.js';

const buyerMessage = 'buyer must be the id of a gamer';

/** `?buyer=&page=&pageSize=` */
export class RoundQuery extends Page {
  @IsOptional()
  @IsString({ message: buyerMessage })
  @MaxLength(FIND_MAX_LENGTH, { message: buyerMessage })
  buyer?: GamerId;
}
