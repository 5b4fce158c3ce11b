import { queryOptions, useQuery } from '@tanstack/react-query';
import type { DailyTotalsResponse } from '../../../../../contracts/http/admin.js';
import { DAILY_TOTALS_DAYS } from '../../../../../contracts/limits.js';
import { get } from '../../../shared/api/api-client.js';

/** As often as the figures and lists that stand beside the charts. */
const POLLED_EVERY_MS = 30_000;
/** Asked for again with what changes it: a deposit that is approved. */
export const dailyTotalsKey = ['/api', 'admin', 'daily-totals'] as const;

export const dailyTotalsQuery = queryOptions({
  queryKey: [...dailyTotalsKey, { days: DAILY_TOTALS_DAYS }] as const,
  queryFn: ({ queryKey, signal }) => get<DailyTotalsResponse>(queryKey, signal),
  refetchInterval: POLLED_EVERY_MS,
});

export const useDailyTotals = () => useQuery(dailyTotalsQuery);
