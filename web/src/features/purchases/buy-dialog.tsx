import { SheetClock } from '../../shared/tokens/sheet-clock.js';
import { Dialog } from '../../shared/ui/dialog.js';
import { lazy } from '../../shared/ui/lazy.js';
import type { OtherWaysToPay } from './buy-form.js';

/** Preloaded as soon as a gamer logs in: a round may have only seconds left when they press Buy. */
export const BuyForm = lazy(() => import('./buy-form.js'), 'BuyForm', 'the form', 5);

interface BuyDialogProps extends OtherWaysToPay {
  open: boolean;
  onClose: () => void;
}

export function BuyDialog({ open, onClose, ...otherWays }: BuyDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Buy from Balance" above={<SheetClock />}>
      <BuyForm onDone={onClose} {...otherWays} />
    </Dialog>
  );
}
