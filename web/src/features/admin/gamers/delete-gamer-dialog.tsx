import { useState } from 'react';
import type { AdminGamerRow } from '../../../../../contracts/http/admin.js';
import { reasonOf } from '../../../shared/api/api-error.js';
import { Field } from '../../../shared/ui/field.js';
import { Notice } from '../../../shared/ui/notice.js';
import { toast } from '../../../shared/ui/toasts.js';
import { ConfirmDialog } from '../confirm-dialog.js';
import { deletedText, deletionTexts, isConfirmed } from './gamer-words.js';
import { useDeleteGamer } from './gamers.queries.js';

interface DeleteGamerDialogProps {
  gamer: AdminGamerRow;
  onClose: () => void;
  onGone: () => void;
}

/** Says what is lost, and lets nobody delete by a slip: the tag has to be typed. */
export function DeleteGamerDialog({ gamer, onClose, onGone }: DeleteGamerDialogProps) {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const { run, isBusy } = useDeleteGamer(gamer.id);
  const remove = async () => {
    try {
      const { details } = await run();
      toast({ title: 'Gamer Deleted', text: deletedText(gamer.gamerTag, details.reassignedChildren) });
      onGone();
    } catch (error) {
      const reason = reasonOf(error, 'Failed to delete gamer');
      setProblem(reason);
      toast({ title: 'Deletion Failed', text: reason, tone: 'bad' });
    }
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Delete ${gamer.gamerTag} for good?`}
      what={deletionTexts(gamer).join('\n\n')}
      keep={`Keep ${gamer.gamerTag}`}
      confirm="Delete for good"
      busy="Deleting…"
      isBusy={isBusy}
      tone="final"
      isReady={isConfirmed(typed, gamer.gamerTag)}
      onConfirm={() => void remove()}
    >
      {problem !== null && (
        <Notice tone="bad" title="Not deleted">
          {problem}
        </Notice>
      )}
      <Field
        label={`Type ${gamer.gamerTag} to confirm`}
        autoComplete="off"
        spellCheck={false}
        autoCapitalize="off"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </ConfirmDialog>
  );
}
