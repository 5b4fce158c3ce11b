import { formatCents } from '../../../../contracts/money.js';
import { useTerms } from '../../shared/board.js';
import { counted } from '../../shared/format.js';
import { useGamer } from '../../shared/session.queries.js';
import { SheetClock } from '../../shared/tokens/sheet-clock.js';
import { Button } from '../../shared/ui/controls.js';
import { Dialog } from '../../shared/ui/dialog.js';
import { lazy } from '../../shared/ui/lazy.js';
import { LoadFailure } from '../../shared/ui/notice.js';
import type { OtherWaysToPay } from './buy-form.js';

interface PurchaseBalanceProps {
  /** False in a time-out or self-exclusion. */
  mayBuy: boolean;
  onBuy: () => void;
  onDeposit: () => void;
}

export function PurchaseBalance({ mayBuy, onBuy, onDeposit }: PurchaseBalanceProps) {
  const { tokenPriceCents } = useTerms();
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
        <b className="num text-22">{cents === undefined ? '—' : formatCents(cents)}</b>
        {cents !== undefined && (
          <span className="dim t14">{`, enough for ${counted(Math.floor(cents / tokenPriceCents), 'token')}`}</span>
        )}
      </p>
      <div className="actions">
        <Button text="Buy Tokens from Balance" disabled={!mayBuy || cents === undefined} onClick={onBuy} />
        <Button text="Deposit Crypto" disabled={!mayBuy || gamer === undefined} onClick={onDeposit} />
      </div>
    </div>
  );
}

const fetchBuyForm = () => import('./buy-form.js');
const BuyForm = lazy(fetchBuyForm, 'BuyForm', 'the form', 5);

/** Called as soon as a gamer logs in: a round may have only seconds left when they press Buy. A failure is retried then. */
export function preloadBuyForm(): void {
  fetchBuyForm().catch(() => undefined);
}

interface BuyDialogProps extends OtherWaysToPay {
  open: boolean;
  onClose: () => void;
}

export const BuyDialog = ({ open, onClose, ...otherWays }: BuyDialogProps) => (
  <Dialog open={open} onClose={onClose} title="Buy from Balance" above={<SheetClock />}>
    <BuyForm onDone={onClose} {...otherWays} />
  </Dialog>
);
