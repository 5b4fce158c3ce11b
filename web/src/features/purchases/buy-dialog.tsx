import { ROUND_OVER, RoundOver, SheetClock, useIsRoundOver } from '../../shared/tokens/sheet-clock.js';
import { Dialog } from '../../shared/ui/dialog.js';
import { BuyForm, type OtherWaysToPay } from './buy-form.js';

interface BuyDialogProps extends OtherWaysToPay {
  open: boolean;
  onClose: () => void;
}

export function BuyDialog({ open, onClose, ...otherWays }: BuyDialogProps) {
  const isOver = useIsRoundOver();
  return (
    <Dialog open={open} onClose={onClose} title={isOver ? ROUND_OVER : 'Buy from Balance'} above={<SheetClock />}>
      {isOver ? <RoundOver onClose={onClose} /> : <BuyForm onDone={onClose} {...otherWays} />}
    </Dialog>
  );
}
