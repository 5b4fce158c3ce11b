import type { MoneyMoved } from '../../../contracts/http/admin.js';

/** The response to an act above a limit, of one act or of the day, which only recorded a request (decision 50). */
export const SECOND_PERSON_NEEDED: MoneyMoved = {
  message: 'A second person must confirm this within a day',
  isDone: false,
};
