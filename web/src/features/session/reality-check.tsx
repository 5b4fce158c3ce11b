import { useNavigate } from '@tanstack/react-router';
import { AlertDialog } from 'radix-ui';
import { useState } from 'react';
import type { MessageResponse } from '../../../../contracts/http/gamers.js';
import type { PlaySession } from '../../../../contracts/http/protection.js';
import { formatCents } from '../../../../contracts/money.js';
import { reasonOf } from '../../shared/api/api-client.js';
import { useCommand } from '../../shared/api/use-command.js';
import { serverNow } from '../../shared/clock.js';
import { Button, Sum } from '../../shared/ui/controls.js';
import { useDialogFocus } from '../../shared/ui/dialog-focus.js';
import { Notice } from '../../shared/ui/notice.js';
import { netText, playedText } from './play-rules.js';
import { useRefreshPlaySession } from './play-session.queries.js';

/** A dialog that closes only when it is answered, and that answer is kept on the server. */
export function RealityCheck({ session }: { session: PlaySession }) {
  const { spentCents, wonCents, netCents, startedAtEpochMs } = session;
  const { ref, onOpenAutoFocus, onCloseAutoFocus } = useDialogFocus(true, () => undefined);
  const { problem, isPending, answer } = useAnswer();
  const navigate = useNavigate();
  const breakHash = 'take-a-break';
  return (
    <AlertDialog.Root open>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="scrim scrim--over" />
        <AlertDialog.Content
          ref={ref}
          className="dialog"
          onCloseAutoFocus={onCloseAutoFocus}
          onOpenAutoFocus={(event) => {
            onOpenAutoFocus(event);
            // No button has the first focus: a key meant for the game must not answer.
            event.preventDefault();
            ref.current?.focus();
          }}
        >
          <AlertDialog.Title>You have been logged in for {playedText(startedAtEpochMs, serverNow())}</AlertDialog.Title>
          <AlertDialog.Description>This is how you have done since you logged in.</AlertDialog.Description>
          <Sum
            rows={[
              ['Spent on tokens', formatCents(spentCents)],
              ['Jackpots won', formatCents(wonCents), wonCents > 0 ? 'won' : undefined],
              ['Net', netText(netCents), 'total'],
            ]}
          />
          {problem !== null && <Notice tone="bad" title="Your answer did not arrive" text={problem} urgent />}
          <div className="actions">
            <Button kind="act" text="Go on" busy={isPending && 'Sending…'} onClick={() => void answer()} />
            <Button
              text="Take a break"
              disabled={isPending}
              onClick={() => void answer(() => navigate({ to: '/protection', hash: breakHash }))}
            />
          </div>
          <Button
            className="linkish justify-self-start"
            text="Go to my statement"
            disabled={isPending}
            onClick={() => void answer(() => navigate({ to: '/statement' }))}
          />
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

/** Sends the answer, and then goes where it leads. */
function useAnswer() {
  const [problem, setProblem] = useState<string | null>(null);
  const refresh = useRefreshPlaySession();
  const { mutateAsync, isPending } = useCommand<MessageResponse, object>('POST', '/api/play-session/answer', {
    onSuccess: refresh,
  });
  const answer = async (then?: () => unknown): Promise<void> => {
    try {
      await mutateAsync({});
      await then?.();
    } catch (error) {
      setProblem(reasonOf(error, 'Please answer again.'));
    }
  };
  return { problem, isPending, answer };
}
