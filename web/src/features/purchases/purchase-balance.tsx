import { TOKEN_PRICE_CENTS } from '../../../../contracts/limits.js';
import { formatCents } from '../../../../contracts/money.js';
import { counted } from '../../shared/format/clock-text.js';
import { useGamer } from '../../shared/session/gamer.queries.js';
import { LoadFailure } from '../../shared/ui/notice.js';

/** What the gamer can buy with. The buttons wait until the gamer and the wallet are known. */
export function PurchaseBalance({ onBuy, onDeposit }: { onBuy: () => void; onDeposit: () => void }) {
  const { data: gamer, isError, refetch } = useGamer();
  if (isError && !gamer) {
    return (
      <div className="balance">
        <LoadFailure text="Your purchase balance could not be loaded" onRetry={() => void refetch()} />
      </div>
    );
  }
  const cents = gamer?.wallet.purchaseBalanceCents;
  return (
    <div className="balance">
      <p>
        <span className="label">Purchase Balance</span>
        <br />
        <b className="num text-22">{cents === undefined ? '—' : formatCents(cents)}</b>{' '}
        {cents !== undefined && (
          <span className="dim t14">is {counted(Math.floor(cents / TOKEN_PRICE_CENTS), 'token')}</span>
        )}
      </p>
      <div className="actions">
        <button type="button" className="btn btn--line" disabled={cents === undefined} onClick={onBuy}>
          Buy Tokens from Balance
        </button>
        <button type="button" className="btn btn--line" disabled={gamer === undefined} onClick={onDeposit}>
          Deposit Crypto
        </button>
      </div>
    </div>
  );
}
