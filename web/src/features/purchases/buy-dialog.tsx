import { ROUND_OVER, RoundOver, SheetClock, useRoundOver } from '../../shared/tokens/sheet-clock.js';
import { Dialog } from '../../shared/ui/dialog.js';
import { BuyForm, type OtherWaysToPay } from './buy-form.js';

interface BuyDialogProps extends OtherWaysToPay {
  open: boolean;
  onClose: () => void;
}

export function BuyDialog({ open, onClose, ...otherWays }: BuyDialogProps) {
  const { isRoundOver, wasOpen } = useRoundOver(open);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={isRoundOver && wasOpen ? ROUND_OVER : 'Buy from Balance'}
      above={<SheetClock />}
    >
      {isRoundOver ? <RoundOver wasOpen={wasOpen} onClose={onClose} /> : <BuyForm onDone={onClose} {...otherWays} />}
    </Dialog>
  );
}
