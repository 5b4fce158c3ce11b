import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BuyFromBalanceRequest, PurchaseReceipt } from '../../../../contracts/http/game.js';
import { DEFAULT_TIMERS, TOKEN_PRICE_CENTS } from '../../../../contracts/limits.js';
import { formatCents } from '../../../../contracts/money.js';
import { refusalText } from '../../../../contracts/refusals.js';
import { ApiError, reasonOf } from '../../shared/api/api-client.js';
import { useCommand } from '../../shared/api/use-command.js';
import { cannotBuyText, useBoard } from '../../shared/board.js';
import { sendingMs, serverNow, useServerNow } from '../../shared/clock.js';
import { addedText, counted, numberText } from '../../shared/format.js';
import { rememberReceipt } from '../../shared/ledger/ledger-memory.js';
import { range } from '../../shared/range.js';
import { gamerQuery, useGamer } from '../../shared/session.queries.js';
import { affordable, closeCallText, lastSafeText, orderOf } from '../../shared/tokens/quantity.js';
import { QuantityField } from '../../shared/tokens/quantity-field.js';
import { Button, Form, Sum } from '../../shared/ui/controls.js';
import { Notice } from '../../shared/ui/notice.js';
import { type ToastContent, toast, toastProblem } from '../../shared/ui/toasts.js';
import './buy-dialog.css';

export interface OtherWaysToPay {
  onDeposit: () => void;
  onPayWithCrypto: () => void;
}

export function BuyForm({ onDone, onDeposit, onPayWithCrypto }: OtherWaysToPay & { onDone: () => void }) {
  const [text, setText] = useState('1');
  const { data: board } = useBoard();
  const { data: gamer } = useGamer();
  const client = useQueryClient();
  const command = useCommand<PurchaseReceipt, BuyFromBalanceRequest>('POST', '/api/buy-from-balance', {
    exclusive: true,
    // The receipt updates the wallet at once.
    onSuccess: (receipt, { userId }) => {
      rememberReceipt(receipt);
      const { purchaseBalanceCents } = receipt;
      const { queryKey } = gamerQuery(userId);
      client.setQueryData(queryKey, (buyer) => buyer && { ...buyer, wallet: { purchaseBalanceCents } });
      void client.invalidateQueries({ queryKey });
    },
  });
  const { mutateAsync: buy, isPending, isChecking } = command;
  const balanceCents = gamer?.wallet.purchaseBalanceCents ?? null;
  const order = orderOf(text, balanceCents);
  const closed = cannotBuyText(board);
  const blocked = closed !== null || order.problem !== null || isPending;

  const submit = async () => {
    if (isPending) return;
    if (closed !== null) return toastProblem('Game Inactive', closed);
    if (order.missingCents > 0) {
      const parameters = { needCents: order.costCents, haveCents: balanceCents ?? 0 };
      return toastProblem('Insufficient Funds', refusalText({ code: 'insufficient-balance', parameters }));
    }
    if (order.quantity === null || order.problem !== null) return toastProblem('Invalid Form', order.problem ?? '');
    if (!gamer) return toastProblem('Authentication Error', refusalText({ code: 'login-to-buy' }));
    const pressedAtEpochMs = serverNow();
    try {
      const receipt = await buy({ quantity: order.quantity, userId: gamer.id });
      toast(receiptToast(receipt, pressedAtEpochMs, (board?.timers ?? DEFAULT_TIMERS).tokenExtensionSeconds));
      onDone();
    } catch (error) {
      toastFailure(error);
    }
  };

  return (
    <Form onSubmit={submit}>
      {closed !== null && <Notice tone="bad" title="Cannot Purchase Now" urgent text={closed} />}
      <QuantityField text={text} onChange={setText} problem={order.problem} />
      <QuickPicks balanceCents={balanceCents} onPick={(tokens) => setText(`${tokens}`)} />
      {order.problem === null && order.quantity !== null && board && closed === null && (
        <Gain quantity={order.quantity} seconds={order.quantity * board.timers.tokenExtensionSeconds} />
      )}
      {closed === null && <LastSafe />}
      <Sum
        rows={[
          [
            `${counted(order.quantity ?? 0, 'token')} at ${formatCents(TOKEN_PRICE_CENTS)}`,
            formatCents(order.costCents),
          ],
          ['Purchase Balance', balanceCents === null ? '—' : formatCents(balanceCents)],
          ...(order.problem === null && balanceCents !== null
            ? [['Left after this', formatCents(balanceCents - order.costCents), 'total'] as const]
            : []),
        ]}
      />
      {isChecking && <p role="status">Checking whether your purchase went through …</p>}
      <button type="submit" className="btn btn--buy btn--big" aria-disabled={blocked || undefined}>
        <span>{isPending ? 'Buying…' : `Buy ${counted(order.quantity ?? 0, 'token')}`}</span>
        <span className="num">{formatCents(order.costCents)}</span>
      </button>
      <div className="actions">
        {order.missingCents > 0 && <Button kind="line sm" text="Deposit Crypto" onClick={onDeposit} />}
        {closed === null && <Button kind="text sm" text="Pay with crypto instead" onClick={onPayWithCrypto} />}
      </div>
    </Form>
  );
}

function QuickPicks({ balanceCents, onPick }: { balanceCents: number | null; onPick: (tokens: number) => void }) {
  const all = balanceCents === null ? 0 : affordable(balanceCents);
  return (
    <div className="chips">
      {[1, 5, 10].map((tokens) => (
        <Button
          key={tokens}
          kind="line sm"
          text={tokens}
          aria-label={counted(tokens, 'token')}
          onClick={() => onPick(tokens)}
        />
      ))}
      {all > 0 && <Button kind="line sm" text={`All ${numberText(all)}`} onClick={() => onPick(all)} />}
    </div>
  );
}

const LAMPS_DRAWN = 4;

function Gain({ quantity, seconds }: { quantity: number; seconds: number }) {
  return (
    <div className="gain">
      <span className="gain-lamps" aria-hidden="true">
        {range(1, Math.min(quantity, LAMPS_DRAWN)).map((lamp) => (
          <i key={lamp} />
        ))}
      </span>
      <b className="num">{addedText(seconds)} on the clock</b>
      <span>You become the last buyer.</span>
    </div>
  );
}

/** The latest time to press Buy: the purchase must reach the server before zero, and the network takes some time. */
function LastSafe() {
  useServerNow(1_000);
  const takesMs = sendingMs();
  if (takesMs === null) return null;
  return <p className="t14 dim">Last safe moment from here: {lastSafeText(takesMs)}.</p>;
}

/** The largest expected difference between the browser's clock and the server's. */
const CLOCK_TOLERANCE_MS = 1_000;
/** After this time somebody else may well have bought: the receipt no longer says who is the last buyer. */
const SLOW_MS = 5_000;

/** `endsAtEpochMs` includes the time that the purchase added. The deadline that it had to meet is the end without it. */
function receiptToast(receipt: PurchaseReceipt, pressedAtEpochMs: number, secondsPerToken: number): ToastContent {
  const { purchaseId, quantity, receivedAtEpochMs, endsAtEpochMs } = receipt;
  const link = { text: 'Check this receipt', to: '/verify', search: { purchase: purchaseId } };
  const title = `Purchased ${quantity} Omni Token(s) successfully`;
  const isReplayed = receivedAtEpochMs < Math.max(pressedAtEpochMs - CLOCK_TOLERANCE_MS, serverNow() - SLOW_MS);
  if (isReplayed) return { title, text: 'Your first press had arrived. It is charged once only.', tone: 'time', link };
  const closeCall = closeCallText(receivedAtEpochMs, endsAtEpochMs - quantity * secondsPerToken * 1000);
  const text = closeCall === null ? 'You are the last buyer.' : `It arrived ${closeCall}. You are the last buyer.`;
  return { title, text, tone: 'time', link };
}

/** Specification §8: a 400 shows the server's text; a lost connection has its own text. */
function toastFailure(error: unknown): void {
  if (!(error instanceof ApiError))
    toastProblem('Error', 'Failed to purchase tokens. Press Buy again: it cannot be charged twice.');
  else if (error.status === 401) toastProblem('Authentication Error', refusalText({ code: 'login-to-buy' }));
  else toastProblem('Purchase Failed', reasonOf(error, 'Purchase failed'));
}
