import type { GamerProfile } from '../../../../contracts/http/gamers.js';
import { daysLeft, dayText } from '../../shared/format/time-text.js';

export type DepositorStatus =
  | { state: 'active'; daysLeft: number; until: string }
  | { state: 'expired'; since: string }
  | { state: 'never' };

/** Active while the flag is set and the expiry has not passed (specification §4). Days are rounded up, dates are New York's. */
export function depositorStatus(
  gamer: Pick<GamerProfile, 'isDepositor' | 'depositorExpiresAt'>,
  nowEpochMs: number,
): DepositorStatus {
  const { isDepositor, depositorExpiresAt: until } = gamer;
  if (until === null) return { state: 'never' };
  if (isDepositor && nowEpochMs <= until)
    return { state: 'active', daysLeft: daysLeft(until, nowEpochMs), until: dayText(until) };
  return { state: 'expired', since: dayText(Math.min(until, nowEpochMs)) };
}
