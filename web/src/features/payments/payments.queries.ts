import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type {
  CreateDepositInvoiceRequest,
  CreateInvoiceRequest,
  InvoiceResponse,
  PaymentStatusResponse,
} from '../../../../contracts/http/payments.js';
import type { OrderId } from '../../../../contracts/ids.js';
import { get } from '../../shared/api/api-client.js';
import { useCommand } from '../../shared/api/use-command.js';
import { useRefreshOn } from '../../shared/live/use-refresh-on.js';
import { gamerQuery } from '../../shared/session/gamer.queries.js';
import { useSession } from '../../shared/session/session.queries.js';
import { isOver } from './payment-steps.js';

/** The gateway's callback mostly comes first, as a message; this is for the times when it does not. */
const POLLED_EVERY_MS = 5_000;

export const useCreateInvoice = () =>
  useCommand<InvoiceResponse, CreateInvoiceRequest>('POST', (body) => ({ path: '/api/create-invoice', body }));

export const useCreateDepositInvoice = () =>
  useCommand<InvoiceResponse, CreateDepositInvoiceRequest>('POST', (body) => ({
    path: '/api/create-deposit-invoice',
    body,
  }));

/** How an invoice is doing; asked again until it is over. */
export const paymentQuery = (orderId: OrderId) =>
  queryOptions({
    queryKey: ['/api', 'payments', orderId] as const,
    queryFn: ({ queryKey, signal }) => get<PaymentStatusResponse>(queryKey, signal),
    refetchInterval: ({ state }) => (state.data && isOver(state.data.status) ? false : POLLED_EVERY_MS),
  });

/** Follows a payment, and shows the balance anew once it is settled. */
export function usePayment(orderId: OrderId) {
  const client = useQueryClient();
  const session = useSession();
  const query = paymentQuery(orderId);
  useRefreshOn('balanceUpdated', query.queryKey);
  const payment = useQuery(query);
  const isSettled = payment.data?.status === 'settled';
  const gamerId = session?.id;
  useEffect(() => {
    if (isSettled && gamerId !== undefined) void client.invalidateQueries({ queryKey: gamerQuery(gamerId).queryKey });
  }, [client, isSettled, gamerId]);
  return payment;
}
