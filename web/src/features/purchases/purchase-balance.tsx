import { useTerms } from '../../shared/board.js';
import { counted, formatCents } from '../../shared/format.js';
import { isDown, useConnection } from '../../shared/live/live-events.js';
import { useGamer } from '../../shared/session.queries.js';
import { Button } from '../../shared/ui/controls.js';
import { LoadFailure } from '../../shared/ui/notice.js';

interface PurchaseBalanceProps {
  /** False in a time-out or self-exclusion. */
  mayBuy: boolean;
  onBuy: () => void;
  onDeposit: () => void;
}

export function PurchaseBalance({ mayBuy, onBuy, onDeposit }: PurchaseBalanceProps) {
  const { tokenPriceCents } = useTerms();
  const isLost = isDown(useConnection());
  const { data: gamer, isError, refetch } = useGamer();
  if (isError && !gamer) {
    return (
      <div className="balance">
        <LoadFailure text="Your purchase balance could not be loaded" onRetry={refetch} />
      </div>
    );
  }
  const cents = gamer?.wallet.purchaseBalanceCents;
  return (
    <div className="balance">
      <p>
        <span className="label">Purchase Balance</span>
        <br />
        <b className="num text-[min(1.375rem,6vw)]">{cents === undefined ? '—' : formatCents(cents)}</b>
        {cents !== undefined && (
          <span className="dim t14">{`, enough for ${counted(Math.floor(cents / tokenPriceCents), 'token')}`}</span>
        )}
      </p>
      <div className="actions">
        <Button text="Buy Tokens from Balance" disabled={!mayBuy || cents === undefined || isLost} onClick={onBuy} />
        <Button
          text="Deposit Crypto"
          kind={cents !== undefined && cents < tokenPriceCents ? 'act' : 'line'}
          disabled={!mayBuy || gamer === undefined}
          onClick={onDeposit}
        />
      </div>
    </div>
  );
}
