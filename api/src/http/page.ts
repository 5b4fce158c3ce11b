import { Type } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { MAX_PAGE_SIZE } from '../../../contracts/limits.js';

const pageMessage = 'page must be a whole number from 1';
const pageSizeMessage = `pageSize must be a whole number from 1 to ${MAX_PAGE_SIZE}`;
/** Nobody turns that many pages; a bound keeps OFFSET a safe integer. */
const MAX_PAGE = 1_000_000;

/** Of a list; pages are counted from 1. */
export interface Page {
  page: number;
  pageSize: number;
}

/** `?page=&pageSize=`, pages counted from 1. */
export class PageQuery {
  @IsOptional()
  @Type(() => Number)
  @IsInt({ message: pageMessage })
  @Min(1, { message: pageMessage })
  @Max(MAX_PAGE, { message: pageMessage })
  page: number = 1;

  @IsOptional()
  @Type(() => Number)
  @IsInt({ message: pageSizeMessage })
  @Min(1, { message: pageSizeMessage })
  @Max(MAX_PAGE_SIZE, { message: pageSizeMessage })
  pageSize?: number;
}
