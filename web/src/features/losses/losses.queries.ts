import type { HeldPayouts } from '../../../../contracts/http/losses.js';
import { useApi } from '../../shared/api/use-api.js';
import { POLLED_EVERY_MS, usePower } from '../../shared/lists/list-queries.js';

/** The api asks the gateway every few seconds while payouts wait. */
const HELD_POLLED_EVERY_MS = 5_000;

export const useHeldPayouts = () =>
  useApi<HeldPayouts>(['/api', 'admin', 'losses', 'payouts'], {
    enabled: usePower('money'),
    refetchInterval: ({ state }) => (state.data?.loss ? HELD_POLLED_EVERY_MS : POLLED_EVERY_MS),
  });
