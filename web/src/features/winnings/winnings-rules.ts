import type { GamerProfile } from '../../../../contracts/http/gamers.js';
import { dayText } from '../../../../contracts/new-york-texts.js';
import { refusalText } from '../../../../contracts/refusals.js';
import { transferRefusal } from '../../../../contracts/validation.js';
import { centsFromInput, daysLeft } from '../../shared/format.js';

type DepositorStatus =
  | { state: 'active'; daysLeft: number; until: string }
  | { state: 'expired'; since: string }
  | { state: 'never' };

/** Active until the expiry, while the flag is set (specification §4). Days are rounded up; dates are New York's. */
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

type TransferOrder = { amountCents: number } | { problem: string; title: 'Invalid Form' | 'Insufficient Funds' };

/** The order for a typed transfer in dollars, or why it is refused (specification §5). */
export function transferOf(text: string, winningsCents: number): TransferOrder {
  const amountCents = centsFromInput(text);
  const code = text.trim() === '' ? 'transfer-amount-required' : transferRefusal(amountCents, winningsCents);
  if (code === null) return { amountCents: amountCents ?? 0 };
  const title = code === 'transfer-exceeds-winnings' ? 'Insufficient Funds' : 'Invalid Form';
  return { problem: refusalText({ code }), title };
}
