import { useIsMutating, useQueryClient } from '@tanstack/react-query';
import type { BuyFromBalanceRequest, PurchaseReceipt } from '../../../../contracts/http/purchases.js';
import { refusalText } from '../../../../contracts/refusals.js';
import { ApiError, reasonOf, useCommand } from '../../shared/api/api-client.js';
import { shownBoard, useCannotBuyText, useTerms } from '../../shared/board.js';
import { ledgerMemory, withReceipt, withRefusal } from '../../shared/ledger/ledger-memory.js';
import { gamerQuery, useGamer, useStrictestLimit } from '../../shared/session.queries.js';
import { createStore, useStore } from '../../shared/store.js';
import { closeCallText, latePurchase, orderOf } from '../../shared/tokens/quantity.js';
import { useDebounced } from '../../shared/ui/hooks.js';
import { type ToastContent, toast } from '../../shared/ui/toasts.js';

export const BUY_KEY = ['POST', '/api/buy-from-balance'] as const;

export const BUYING_LIMITS = ['spending', 'loss'] as const;

const lastQuantity = createStore<number | null>(null);

/** Buys tokens from the balance. The outcome is shown as a toast; `purchase` returns true once the purchase is confirmed. */
export function usePurchase() {
  const closedText = useCannotBuyText();
  const terms = useTerms();
  const { data: gamer } = useGamer();
  const client = useQueryClient();
  const { send: buy, isBusy } = useCommand<BuyFromBalanceRequest, PurchaseReceipt>(...BUY_KEY, {
    retried: true,
    onSuccess: (receipt, { userId }) => {
      ledgerMemory.update((known) => withReceipt(known, { ...receipt, gamerId: userId }));
      const { purchaseBalanceCents } = receipt;
      const { queryKey } = gamerQuery(userId);
      client.setQueryData(queryKey, (buyer) => buyer && { ...buyer, wallet: { purchaseBalanceCents } });
      void client.invalidateQueries({ queryKey });
    },
  });
  const balanceCents = gamer?.wallet.purchaseBalanceCents ?? null;
  const problemOf = (quantity: number): Problem | null => {
    if (closedText !== null) return { title: 'Game Inactive', text: closedText };
    const { costCents, missingCents, problem } = orderOf(`${quantity}`, terms.tokenPriceCents, balanceCents);
    const parameters = { needCents: costCents, haveCents: balanceCents ?? 0 };
    if (missingCents > 0)
      return { title: 'Insufficient Funds', text: refusalText({ code: 'insufficient-balance', parameters }) };
    return problem === null ? null : { title: 'Invalid Form', text: problem };
  };
  const purchase = async (quantity: number): Promise<boolean> => {
    if (isBusy) return false;
    const problem = problemOf(quantity);
    if (problem !== null) return refuse(problem);
    if (!gamer) return refuse({ title: 'Authentication Error', text: refusalText({ code: 'login-to-buy' }) });
    const pressedAtMonotonicMs = performance.now();
    const roundId = shownBoard(client)?.roundId ?? null;
    try {
      const receipt = await buy({ quantity, userId: gamer.id });
      lastQuantity.set(receipt.quantity);
      toast(receiptToast(receipt, performance.now() - pressedAtMonotonicMs, terms.tokenExtensionSeconds));
      return true;
    } catch (error) {
      const { title, text } = failureOf(error);
      const { lateMs = 0, signedRefusal } = (error instanceof ApiError && error.refusal) || {};
      const late = closeCallText(lateMs);
      if (late === null) return refuse({ title, text });
      const lateText = `Your purchase arrived ${late} after zero; nothing was charged.`;
      if (signedRefusal) ledgerMemory.update((known) => withRefusal(known, signedRefusal));
      latePurchase.set({ roundId, text: lateText });
      const link = { text: 'Check it', to: '/verify', search: { late: `${roundId}` } };
      return refuse({ title, text: `${text} ${lateText}`, link });
    }
  };
  return { purchase, problemOf, isBusy, balanceCents };
}

/** After this time without an outcome, dialog and stage say that the page is still trying. */
const SLOW_AFTER_MS = 3_000;

/** Whether a purchase of this page has had no outcome for a while, even after its dialog was closed. */
export function useIsPurchaseSlow(): boolean {
  const isSent = useIsMutating({ mutationKey: BUY_KEY }) > 0;
  return useDebounced(isSent, SLOW_AFTER_MS) && isSent;
}

export function useBuyAgain() {
  const quantity = useStore(lastQuantity);
  const { tokenPriceCents } = useTerms();
  const { purchase, problemOf, isBusy, balanceCents } = usePurchase();
  const limit = useStrictestLimit(BUYING_LIMITS);
  if (quantity === null || balanceCents === null || problemOf(quantity) !== null) return null;
  const costCents = quantity * tokenPriceCents;
  if (limit && costCents > limit.leftCents) return null;
  return { quantity, costCents, isBusy, buy: () => void purchase(quantity) };
}

type Problem = Required<Pick<ToastContent, 'title' | 'text'>>;

function refuse(problem: ToastContent): false {
  toast({ ...problem, tone: 'bad' });
  return false;
}

/** The receipt's `endsAtEpochMs` includes the time that the purchase added; its deadline was the end without that time. */
function receiptToast(receipt: PurchaseReceipt, tookMs: number, secondsPerToken: number): ToastContent {
  const { message: title, purchaseId, quantity, receivedAtEpochMs, endsAtEpochMs } = receipt;
  const link = { text: 'Check this receipt', to: '/verify', search: { purchase: purchaseId } };
  const closeCall = closeCallText(endsAtEpochMs - quantity * secondsPerToken * 1000 - receivedAtEpochMs);
  const arrival = closeCall === null ? `It took ${Math.round(tookMs)} ms` : `It arrived ${closeCall} before zero`;
  return { title, text: `${arrival}. You became the last buyer.`, tone: 'time', link };
}

/** Specification §8: a 400 shows the server's text; a lost connection has its own text. */
function failureOf(error: unknown): Problem {
  if (!(error instanceof ApiError))
    return { title: 'Error', text: 'Failed to purchase tokens. Press Buy again: you cannot be charged twice.' };
  if (error.status === 401) return { title: 'Authentication Error', text: refusalText({ code: 'login-to-buy' }) };
  return { title: 'Purchase Failed', text: reasonOf(error, 'Purchase failed') };
}
