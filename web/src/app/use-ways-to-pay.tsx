import { useEffect, useState } from 'react';
import { TOKEN_PRICE_CENTS } from '../../../contracts/limits.js';
import { PaymentDialog } from '../features/payments/payment-dialog.js';
import { BuyDialog, buyForm } from '../features/purchases/buy-dialog.js';
import { useGamer } from '../shared/session/gamer.queries.js';
import { useSession } from '../shared/session/session.queries.js';
import { fetchAhead } from '../shared/ui/late.js';

type Way = 'balance' | 'tokens' | 'deposit';

/** The three dialogs in which a gamer pays, one open at a time, and what opens them. */
export function useWaysToPay() {
  const [way, setWay] = useState<Way | null>(null);
  const { data: gamer } = useGamer();
  const isKnown = gamer !== undefined;
  const isHere = Boolean(useSession());
  useEffect(() => {
    if (isKnown) fetchAhead(buyForm);
  }, [isKnown]);
  // What a session's end closed does not open by itself when somebody logs in.
  useEffect(() => {
    if (!isHere) setWay(null);
  }, [isHere]);
  const open = (wanted: Way) => () => setWay(wanted);
  const bind = (own: Way) => ({ open: way === own, onOpenChange: (isOpen: boolean) => setWay(isOpen ? own : null) });
  return {
    buyFromBalance: open('balance'),
    deposit: open('deposit'),
    /** From the balance, which takes a second; with crypto, which takes minutes, when the balance pays for no token. */
    join: open((gamer?.wallet.purchaseBalanceCents ?? 0) >= TOKEN_PRICE_CENTS ? 'balance' : 'tokens'),
    dialogs: (
      <>
        <BuyDialog {...bind('balance')} onDeposit={open('deposit')} onPayWithCrypto={open('tokens')} />
        <PaymentDialog purpose="tokens" {...bind('tokens')} />
        <PaymentDialog purpose="deposit" {...bind('deposit')} />
      </>
    ),
  };
}
