import { useState } from 'react';
import type { GamerProfile } from '../../../../contracts/http/gamers.js';
import { Dialog } from '../../shared/ui/dialog.js';
import { Late, latePart } from '../../shared/ui/late.js';

const withdrawForm = latePart<{ gamer: GamerProfile; onDone: () => void }>(
  () => import('./withdraw-form.js').then((module) => module.WithdrawForm),
  { label: 'Loading the withdrawal form', rows: 6 },
);

/** The button and its dialog. */
export function WithdrawWinnings({ gamer }: { gamer: GamerProfile }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="btn btn--act" onClick={() => setOpen(true)}>
        Withdraw Winnings
      </button>
      <Dialog open={open} onOpenChange={setOpen} title="Withdraw Winnings">
        <Late part={withdrawForm} props={{ gamer, onDone: () => setOpen(false) }} />
      </Dialog>
    </>
  );
}
