import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type * as http from '../../../../contracts/http/gamers.js';
import type { AdjustRequest } from '../../../../contracts/http/winnings.js';
import * as limits from '../../../../contracts/limits.js';
import { refusalText } from '../../../../contracts/refusals.js';
import { versionOf } from '../../../../contracts/versions.js';
import { useCommand } from '../../shared/api/api-client.js';
import { centsFromInput, commaProblem, counted, dayText, formatCents } from '../../shared/format.js';
import { useSession } from '../../shared/session.queries.js';
import { ConfirmDialog, EditConflict, ReasonField, useEdits } from '../../shared/ui/admin-parts.js';
import { Button, type ButtonProps, Field, Form, Submit, useFields } from '../../shared/ui/controls.js';
import { Dialog } from '../../shared/ui/dialog.js';
import { toastProblem } from '../../shared/ui/toasts.js';
import { postsKey } from '../community/community-feed.js';
import { type GamerDialogProps, type GamerProps, RoleButtons, useGamerCommand } from './gamers-panel.js';

const DIALOGS = {
  adjust: AdjustDialog,
  depositor: DepositorDialog,
  profile: ProfileDialog,
  password: PasswordDialog,
  deletion: DeleteDialog,
};

export function GamerActions({ gamer }: GamerProps) {
  const [dialogName, setOpened] = useState<keyof typeof DIALOGS | null>(useProposedReason() ? 'adjust' : null);
  const isAdmin = useSession()?.role === 'admin';
  const OpenDialog = dialogName && DIALOGS[dialogName];
  const button = (dialog: keyof typeof DIALOGS, text: string, kind: ButtonProps['kind'] = 'line sm') => (
    <Button kind={kind} text={text} onClick={() => setOpened(dialog)} />
  );
  return (
    <div className="actions">
      {button('adjust', 'Adjust balances')}
      {button('depositor', gamer.isDepositor ? 'End depositor status' : 'Make depositor')}
      {isAdmin && button('profile', 'Edit gamer')}
      {isAdmin && button('password', 'Set a new password')}
      {isAdmin && <RoleButtons gamer={gamer} />}
      {isAdmin && button('deletion', 'Delete gamer', 'danger sm')}
      {OpenDialog && <OpenDialog gamer={gamer} onClose={() => setOpened(null)} />}
    </div>
  );
}

const useProposedReason = () => (useSearch({ strict: false }) as { reason?: string }).reason;

function ProfileDialog({ gamer, onClose }: GamerDialogProps) {
  const edits = useEdits({ gamerTag: gamer.gamerTag, email: gamer.email }, { gamerTag: 'GamerTag', email: 'Email' });
  const { values, expected, bind } = edits;
  const { run, isBusy } = useGamerCommand<http.EditProfileRequest>(gamer, 'profile', 'update profile');
  const profile = { gamerTag: values.gamerTag.trim(), email: values.email.trim() };
  const save = async (base: typeof expected) => {
    const done = { title: 'Profile Updated', text: `${profile.gamerTag}, ${profile.email}` };
    if ((await run(profile, done, versionOf(base.gamerTag, base.email))) === null) onClose();
  };
  return (
    <Dialog title={`Edit ${gamer.gamerTag}`} onClose={onClose}>
      <Form onSubmit={() => save(expected)}>
        <Field label="GamerTag" spellCheck={false} maxLength={20} {...bind('gamerTag')} />
        <Field label="Email" type="email" maxLength={limits.EMAIL_MAX_LENGTH} {...bind('email')} />
        {!isBusy && <EditConflict edits={edits} onSaveMine={() => save(gamer)} />}
        <Submit text="Save profile" busy="Saving…" disabled={!edits.isChanged} />
      </Form>
    </Dialog>
  );
}

function DepositorDialog({ gamer, onClose }: GamerDialogProps) {
  const { gamerTag } = gamer;
  const { run } = useGamerCommand<http.DepositorStatusRequest, http.DepositorStatusResponse>(
    gamer,
    'depositor-status',
    'update depositor status',
  );
  // The status when the dialog opened: the response changes it before the dialog closes.
  const [isDepositor] = useState(gamer.isDepositor);
  return (
    <ConfirmDialog
      title={isDepositor ? `End the depositor status of ${gamerTag}?` : `Make ${gamerTag} a depositor?`}
      description={
        isDepositor
          ? 'From now on their matrix pays them nothing. A deposit, or an admin, makes them a depositor again.'
          : 'For 30 days from now their matrix pays them.'
      }
      labels={{ cancel: 'Leave it', confirm: isDepositor ? 'End status' : 'Make depositor', busy: 'Changing…' }}
      tone={isDepositor ? 'final' : 'act'}
      onClose={onClose}
      onConfirm={() =>
        run({ isDepositor: !isDepositor }, ({ expiresAt }) => ({
          title: 'Depositor Status Updated',
          text: `${gamerTag}: ${expiresAt === null ? 'No longer a depositor.' : `A depositor until ${dayText(expiresAt)}.`}`,
        }))
      }
    />
  );
}

/** Adds signed amounts to the balances, against `house:adjustments`. The ledger keeps the reason (decision 13). */
function AdjustDialog({ gamer, onClose }: GamerDialogProps) {
  const { values, bind } = useFields({ purchase: '', winnings: '', reason: useProposedReason() ?? '' });
  const { run } = useGamerCommand<AdjustRequest>(gamer, 'adjust', 'adjust balances');
  const purchase = deltaOf(values.purchase, gamer.purchaseBalance);
  const winnings = deltaOf(values.winnings, gamer.currentWinnings);
  const save = async () => {
    if (purchase.cents === null || winnings.cents === null)
      return toastProblem('Invalid Form', purchase.problem ?? winnings.problem ?? '');
    const { reason } = values;
    const kept = reason.trim() === '' ? 'who did it, and that no reason was given' : 'who did it and why';
    const failure = await run(
      { purchaseBalanceCents: purchase.cents, totalWinningsCents: winnings.cents, reason },
      { title: 'Balances Adjusted', text: `${gamer.gamerTag}: the ledger keeps ${kept}.` },
    );
    if (failure === null) onClose();
  };
  const dollars = (name: 'purchase' | 'winnings', balanceCents: number, delta: Delta) => {
    const hint = describeNewBalance(balanceCents, delta);
    return { inputMode: 'text', placeholder: '0.00', ...bind(name), hint, error: delta.problem } as const;
  };
  return (
    <Dialog title={`Adjust the balances of ${gamer.gamerTag}`} onClose={onClose}>
      <Form onSubmit={save}>
        <div className="grid grid-cols-2 items-start gap-3">
          <Field label="Purchase, ± dollars" {...dollars('purchase', gamer.purchaseBalance, purchase)} />
          <Field label="Winnings, ± dollars" {...dollars('winnings', gamer.currentWinnings, winnings)} />
        </div>
        <ReasonField placeholder="Why the balance changes" {...bind('reason')} />
        <Submit text="Adjust balances" busy="Adjusting…" />
      </Form>
    </Dialog>
  );
}

/** Shows the password as it is typed, because the admin has to tell it to the gamer. */
function PasswordDialog({ gamer, onClose }: GamerDialogProps) {
  const { values, setProblems, bind } = useFields({ password: '' });
  const { run } = useGamerCommand<http.AdminResetPasswordRequest>(gamer, 'reset-password', 'update password');
  const done = { title: 'Password Updated', text: `${gamer.gamerTag} is logged out everywhere.` };
  const setPassword = async () => {
    const problem = await run(values, done);
    setProblems({ password: problem ?? undefined });
    return problem && '';
  };
  return (
    <ConfirmDialog
      title={`Set a new password for ${gamer.gamerTag}?`}
      description="The old password stops working at once, and they are logged out everywhere."
      labels={{ cancel: 'Keep the old one', confirm: 'Set password', busy: 'Setting…' }}
      tone="act"
      onClose={onClose}
      onConfirm={setPassword}
    >
      <Field
        label="New password"
        className="code"
        spellCheck={false}
        maxLength={limits.PASSWORD_MAX_LENGTH}
        hint={`At least ${limits.PASSWORD_MIN_LENGTH} characters. Do not share it with anyone else.`}
        {...bind('password')}
      />
    </ConfirmDialog>
  );
}

/** Says what a deletion destroys. The admin has to type the gamer's tag, so that nobody is deleted by mistake. */
function DeleteDialog({ gamer, onClose }: GamerDialogProps) {
  const { id, gamerTag } = gamer;
  const navigate = useNavigate();
  const { values, bind } = useFields({ gamerTag: '' });
  const { run } = useCommand<void, http.DeleteGamerResponse>('DELETE', `/api/admin/gamers/${id}`, {
    intent: 'delete gamer',
    failureTitle: 'Deletion Failed',
    reloads: [postsKey],
  });
  const remove = async () => {
    const failure = await run(undefined, ({ details }) => ({
      title: 'Gamer Deleted',
      text: describeDeleted(gamerTag, details.reassignedChildren),
    }));
    if (failure === null) await navigate({ to: '/admin/$panel', params: { panel: 'gamers' } });
    return failure;
  };
  return (
    <ConfirmDialog
      title={`Delete ${gamerTag} for good?`}
      description={describeDeletion(gamer).join('\n\n')}
      labels={{ cancel: `Keep ${gamerTag}`, confirm: 'Delete for good', busy: 'Deleting…' }}
      tone="final"
      isReady={values.gamerTag.trim() === gamerTag}
      onClose={onClose}
      onConfirm={remove}
    >
      <Field label={`Type ${gamerTag} to confirm`} spellCheck={false} autoCapitalize="off" {...bind('gamerTag')} />
    </ConfirmDialog>
  );
}

type Delta = { cents: number | null; problem: string | null };

/** Reads a signed change of a balance, typed in dollars. An empty text means no change. */
export function deltaOf(text: string, balanceCents: number): Delta {
  if (text.trim() === '') return { cents: 0, problem: null };
  const cents = centsFromInput(text);
  if (cents === null) return { cents, problem: commaProblem(text) ?? 'Dollars and cents, such as -3.00' };
  const isBelowZero = balanceCents + cents < 0;
  return { cents, problem: isBelowZero ? refusalText({ code: 'adjustment-below-zero' }) : null };
}

export const describeNewBalance = (balanceCents: number, { cents }: Delta): string =>
  `${formatCents(balanceCents)} ${cents ? `to ${formatCents(balanceCents + cents)}` : 'stays'}`;

export function describeDeletion({ gamerTag, purchaseBalance, currentWinnings }: http.AdminGamerRow): string[] {
  const money =
    purchaseBalance === 0 && currentWinnings === 0
      ? 'They have no balance.'
      : `Their ${formatCents(purchaseBalance)} purchase balance and ${formatCents(currentWinnings)} winnings are forfeited to the operator.`;
  return [
    `${gamerTag}’s account, email, saved wallets, support tickets and posts are deleted. They cannot log in again.`,
    money,
    'A payment of theirs that is under review can be credited to nobody afterwards: decide about it first.',
    'Their first child in the matrix takes their place with its team; the others move to free places under the grandparent, teams intact.',
    'The ledger keeps what they bought and won, without a name. This cannot be undone.',
  ];
}

export const describeDeleted = (gamerTag: string, moved: number): string =>
  `${gamerTag} was deleted. ${moved === 0 ? 'Nobody' : counted(moved, 'gamer')} moved in the matrix.`;
