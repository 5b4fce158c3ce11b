import type { BuyFromBalanceRequest, PurchaseReceipt } from '../../../../contracts/http/game.js';
import { DEFAULT_TIMERS } from '../../../../contracts/limits.js';
import { ApiError, reasonOf } from '../../shared/api/api-error.js';
import { useBoard } from '../../shared/board/board.queries.js';
import { serverNow } from '../../shared/clock/server-clock.js';
import { closeCallText } from '../../shared/tokens/quantity.js';
import { toast } from '../../shared/ui/toasts.js';
import { useBuyFromBalance } from './purchases.queries.js';

/** Buys and says how it went. True when the tokens are bought. */
export function usePurchase() {
  const { buy, isPending } = useBuyFromBalance();
  const { data: board } = useBoard();
  const secondsPerToken = (board?.timers ?? DEFAULT_TIMERS).tokenExtensionSeconds;
  const purchase = async (request: BuyFromBalanceRequest): Promise<boolean> => {
    const pressedAtEpochMs = serverNow();
    try {
      toast(receiptToast(await buy(request), secondsPerToken, pressedAtEpochMs));
      return true;
    } catch (error) {
      toast({ ...failureToast(error), tone: 'bad' });
      return false;
    }
  };
  return { purchase, isPending };
}

/** The two clocks agree at least this well. */
const CLOCK_DOUBT_MS = 1_000;

/** The receipt names the end the purchase made; the end it had to beat lies before what it added. */
function receiptToast(receipt: PurchaseReceipt, secondsPerToken: number, pressedAtEpochMs: number) {
  const title = `Purchased ${receipt.quantity} Omni Token(s) successfully`;
  if (receipt.receivedAtEpochMs < pressedAtEpochMs - CLOCK_DOUBT_MS)
    return { title, text: 'Your first press had arrived. It is charged once only.', tone: 'time' as const };
  const deadlineEpochMs = receipt.endsAtEpochMs - receipt.quantity * secondsPerToken * 1000;
  const closeCall = closeCallText(receipt.receivedAtEpochMs, deadlineEpochMs);
  const text = closeCall === null ? 'You are the last buyer.' : `It arrived ${closeCall}. You are the last buyer.`;
  return { title, text, tone: 'time' as const };
}

/** Specification §8: a 400 carries the server's text; a call that failed on its way has its own. */
function failureToast(error: unknown): { title: string; text: string } {
  if (!(error instanceof ApiError)) {
    return { title: 'Error', text: 'Failed to purchase tokens. Press Buy again: it cannot be charged twice.' };
  }
  if (error.status === 401) return { title: 'Authentication Error', text: 'Please log in to buy tokens' };
  return { title: 'Purchase Failed', text: reasonOf(error, 'Purchase failed') };
}
