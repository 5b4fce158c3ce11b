import type { AdminGamerRow } from '../../../../../contracts/http/admin.js';
import { Dialog } from '../../../shared/ui/dialog.js';
import { Listed } from '../../../shared/ui/listed.js';
import { Notice } from '../../../shared/ui/notice.js';
import { EditGamer } from './edit-gamer.js';
import { useGamerNamed } from './gamers.queries.js';

export function EditGamerDialog({ gamer, onClose }: { gamer: AdminGamerRow | null; onClose: () => void }) {
  return (
    <Dialog
      open={gamer !== null}
      onOpenChange={(open) => !open && onClose()}
      title={gamer ? `Edit ${gamer.gamerTag}` : 'Edit Gamer'}
    >
      {gamer && <EditGamer key={gamer.id} gamer={gamer} onGone={onClose} />}
    </Dialog>
  );
}

interface EditNamedGamerProps {
  gamerTag: string;
  /** Proposed for an adjustment of the balances. */
  reason: string;
  onClose: () => void;
}

/** The same, from a list that knows a gamer by name. */
export function EditNamedGamer({ gamerTag, reason, onClose }: EditNamedGamerProps) {
  const query = useGamerNamed(gamerTag);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={`Edit ${gamerTag}`}>
      <Listed query={query} what="gamer">
        {(gamer) =>
          gamer === null ? (
            <Notice tone="bad" title={`Nobody is called ${gamerTag} any more`}>
              They have another GamerTag now, or are gone.
            </Notice>
          ) : (
            <EditGamer key={gamer.id} gamer={gamer} reason={reason} onGone={onClose} />
          )
        }
      </Listed>
    </Dialog>
  );
}
