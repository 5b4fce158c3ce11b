import { useApi } from '../../shared/api/api-client.js';
import { useMyId } from '../../shared/session.queries.js';

/** A rejection and an expiry send no live message, because their events do not name the gamer. */
const POLLED_EVERY_MS = 5_000;

/** A list about the gamer's money: live messages refetch its key, because it begins with the profile's key. */
export const usePayments = <Payment extends object>(list: 'open-invoices' | 'payments-in-review') =>
  useApi<Payment[]>(['/api', 'gamer', useMyId(), list], {
    refetchInterval: ({ state }) => (state.data?.some(isUndecided) ? POLLED_EVERY_MS : false),
  });

const isUndecided = ({ state, status }: { state?: string; status?: string }): boolean =>
  ['review', 'waiting', 'confirming'].includes(state ?? status ?? '');
