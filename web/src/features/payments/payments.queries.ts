import { useApi } from '../../shared/api/use-api.js';
import { useMyId } from '../../shared/session.queries.js';

/** A rejection and an expiry send no live message, because their events do not name the gamer. */
const POLLED_EVERY_MS = 30_000;

/** A list about the gamer's money: live messages refetch its key, because it begins with the profile's key. */
export const usePayments = <Payment>(list: 'open-invoices' | 'payments-in-review') =>
  useApi<Payment[]>(['/api', 'gamer', useMyId(), list], {
    refetchInterval: ({ state }) => (state.data?.length ? POLLED_EVERY_MS : false),
  });
