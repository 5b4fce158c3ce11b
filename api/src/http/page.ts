import { LIST_PAGE_SIZE, MAX_PAGE_SIZE } from '../../../contracts/limits.js';
import { optionalNumber } from './validation.js';

/** Keeps the OFFSET of a query a safe integer. */
const MAX_PAGE = 1_000_000;

/** A page of a list, `?page=&pageSize=`; the first page is 1. */
export class Page {
  @optionalNumber(MAX_PAGE, 'page must be a whole number from 1') page: number = 1;

  @optionalNumber(MAX_PAGE_SIZE, `pageSize must be a whole number from 1 to ${MAX_PAGE_SIZE}`)
  pageSize: number = LIST_PAGE_SIZE;
}

export const skipTakeOf = ({ page, pageSize }: Page): { skip: number; take: number } => ({
  skip: (page - 1) * pageSize,
  take: pageSize,
});
