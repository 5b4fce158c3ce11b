import { useState } from 'react';
import type { GamerId } from '../../../../contracts/ids.js';
import { Dialog } from '../../shared/ui/dialog.js';
import { Late, latePart } from '../../shared/ui/late.js';

const supportCenter = latePart<{ gamerId: GamerId }>(
  () => import('./support-center.js').then((module) => module.SupportCenter),
  { label: 'Loading the Support Center', rows: 5 },
);

/** The link and its dialog. For gamers who are logged in. */
export function ContactSupport({ gamerId }: { gamerId: GamerId }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <p>
        <button type="button" className="linkish min-h-11" onClick={() => setOpen(true)}>
          Need Help? Contact Support
        </button>
      </p>
      <Dialog open={open} onOpenChange={setOpen} title="Support Center">
        <Late part={supportCenter} props={{ gamerId }} />
      </Dialog>
    </>
  );
}
