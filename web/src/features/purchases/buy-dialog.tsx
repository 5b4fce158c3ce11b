import { SheetClock } from '../../shared/tokens/sheet-clock.js';
import { Dialog } from '../../shared/ui/dialog.js';
import { Late, latePart } from '../../shared/ui/late.js';

interface OtherWays {
  onDeposit: () => void;
  onPayWithCrypto: () => void;
}

export interface BuyFormProps extends OtherWays {
  onDone: () => void;
}

/** Fetched as soon as a gamer is known, not when they press: a round may have seconds left. */
export const buyForm = latePart<BuyFormProps>(() => import('./buy-form.js').then((module) => module.BuyForm), {
  label: 'Loading the form',
  rows: 5,
});

interface BuyDialogProps extends OtherWays {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function BuyDialog({ open, onOpenChange, ...otherWays }: BuyDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Buy from Balance" above={<SheetClock />}>
      <Late part={buyForm} props={{ onDone: () => onOpenChange(false), ...otherWays }} />
    </Dialog>
  );
}
