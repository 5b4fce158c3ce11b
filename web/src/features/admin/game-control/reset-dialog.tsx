import { useState } from 'react';
import type { GameState } from '../../../../../contracts/http/game.js';
import { REASON_MAX_LENGTH } from '../../../../../contracts/limits.js';
import { formatCents } from '../../../../../contracts/money.js';
import { reasonOf } from '../../../shared/api/api-error.js';
import { Field } from '../../../shared/ui/field.js';
import { toast } from '../../../shared/ui/toasts.js';
import { ConfirmDialog } from '../confirm-dialog.js';
import { useResetGame } from './game-control.queries.js';

interface ResetDialogProps {
  board: GameState;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Says what a reset does to the money before it is done. */
export function ResetDialog({ board, open, onOpenChange }: ResetDialogProps) {
  const [reason, setReason] = useState('');
  const reset = useResetGame();
  const confirm = async () => {
    try {
      await reset.mutateAsync(reason.trim() === '' ? {} : { reason: reason.trim() });
      toast({ title: 'Game Reset', text: 'The game is idle.' });
      setReason('');
      onOpenChange(false);
    } catch (error) {
      toast({ title: 'Reset Failed', text: reasonOf(error, 'Failed to reset game'), tone: 'bad' });
    }
  };
  const isPlayed = board.gameState === 'live' || board.gameState === 'pregame';
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={isPlayed ? `Reset round ${board.roundId}?` : 'Reset to Idle?'}
      what={whatHappens(board)}
      keep={isPlayed ? 'Keep the round running' : 'Keep it as it is'}
      confirm="Reset to Idle"
      busy="Resetting…"
      isBusy={reset.isPending}
      tone="final"
      onConfirm={() => void confirm()}
    >
      <Field
        label="Reason, kept in the ledger"
        placeholder="What went wrong"
        maxLength={REASON_MAX_LENGTH}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </ConfirmDialog>
  );
}

/** Decision 19, in words. */
function whatHappens(board: GameState): string {
  const carries = `The jackpot of ${formatCents(board.jackpotCents)} carries into the next round.`;
  if (board.gameState === 'live' && board.purchases.length > 0) {
    return `The clock stops now and nobody wins this round. ${carries} Matrix and house shares already paid stay as they are.`;
  }
  if (board.gameState === 'downtime')
    return `The next game will not start by itself. ${board.jackpotCents > 0 ? carries : 'What the last round paid stays paid.'}`;
  return `The round ends before anybody bought. ${board.jackpotCents > 0 ? carries : 'No money is involved.'}`;
}
