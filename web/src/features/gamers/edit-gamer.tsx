import { useState } from 'react';
import type * as http from '../../../../contracts/http/gamers.js';
import type { ProtectionResponse } from '../../../../contracts/http/protection.js';
import type { AdjustRequest } from '../../../../contracts/http/winnings.js';
import * as limits from '../../../../contracts/limits.js';
import { limitsText, type PlainRefusalCode, refusalText } from '../../../../contracts/refusals.js';
import { gamerTagRefusal, passwordRefusal } from '../../../../contracts/validation.js';
import { versionOf } from '../../../../contracts/versions.js';
import { useApi, useCommand } from '../../shared/api/use-api.js';
import { useServerNow } from '../../shared/clock.js';
import { centsFromInput, commaProblem, counted, dateTimeText, dayText, formatCents } from '../../shared/format.js';
import { useSession } from '../../shared/session.queries.js';
import { ConfirmDialog, ReasonField, Theirs, useEdits } from '../../shared/ui/admin-parts.js';
import { Button, Field, Form, Submit, Switch, useFields } from '../../shared/ui/controls.js';
import { Notice } from '../../shared/ui/notice.js';
import { toastProblem } from '../../shared/ui/toasts.js';
import { postsKey } from '../community/community-feed.js';
import { type GamerDialogProps, type OfGamer, useGamerCommand } from './gamer-commands.js';
import { RoleSelect } from './role-select.js';

export function EditGamer({ gamer, reason = '', onGone }: OfGamer & { reason?: string; onGone: () => void }) {
  const [dialog, setDialog] = useState<'password' | 'deletion' | null>(null);
  const isAdmin = useSession()?.role === 'admin';
  const close = () => setDialog(null);
  return (
    <>
      {isAdmin && <ProtectionNotice gamer={gamer} />}
      <div className="edit">
        {isAdmin && <ProfileForm gamer={gamer} />}
        <AdjustForm gamer={gamer} proposedReason={reason} />
        <div className="grid content-start gap-4">
          <DepositorSwitch gamer={gamer} />
          {isAdmin && <RoleSelect gamer={gamer} />}
        </div>
        {isAdmin && (
          <div className="actions content-end">
            <Button kind="line sm" text="Set a new password" onClick={() => setDialog('password')} />
            <Button kind="danger sm" text="Delete gamer" onClick={() => setDialog('deletion')} />
          </div>
        )}
      </div>
      {dialog === 'password' && <PasswordDialog gamer={gamer} onClose={close} />}
      {dialog === 'deletion' && <DeleteDialog gamer={gamer} onClose={close} onGone={onGone} />}
    </>
  );
}

/** The admin sees limits, a time-out or a self-exclusion, and cannot loosen them. */
function ProtectionNotice({ gamer: { id } }: OfGamer) {
  const { data } = useApi<ProtectionResponse>(['/api', 'gamer', id, 'protection']);
  if (!data || (data.exclusion === null && limitsText(data.limits) === limitsText(limits.NO_LIMITS))) return null;
  const { exclusion } = data;
  const of = exclusion?.kind === 'time-out' ? 'In a time-out' : 'Self-excluded';
  const title = exclusion ? `${of} until ${dateTimeText(exclusion.untilEpochMs)}` : 'Has limits';
  return <Notice tone="time" title={title} text={`Limits: ${limitsText(data.limits)}. Only the gamer changes this.`} />;
}

function ProfileForm({ gamer }: OfGamer) {
  const edits = useEdits({ gamerTag: gamer.gamerTag, email: gamer.email }, { gamerTag: 'GamerTag', email: 'Email' });
  const { values, readAs, bind, reset } = edits;
  const [isTried, setTried] = useState(false);
  const { run, isBusy } = useGamerCommand<http.EditProfileRequest>(gamer, 'profile', 'update profile');
  const profile = { gamerTag: values.gamerTag.trim(), email: values.email.trim() };
  const problems = { gamerTag: textOf(gamerTagRefusal(profile.gamerTag)), email: emailProblem(profile.email) };
  const save = async (over: typeof readAs) => {
    setTried(true);
    const problem = problems.gamerTag ?? problems.email;
    if (problem !== null) return toastProblem('Invalid Form', problem);
    const done = { title: 'Profile Updated', text: `${profile.gamerTag}, ${profile.email}` };
    const edit = {
      ...(profile.gamerTag !== gamer.gamerTag && { gamerTag: profile.gamerTag }),
      ...(profile.email !== gamer.email && { email: profile.email }),
    };
    if ((await run(edit, done, versionOf(over.gamerTag, over.email))) === null) reset();
  };
  const errorOf = (field: keyof typeof problems) => ({ ...bind(field), error: isTried ? problems[field] : null });
  return (
    <Form label="Profile" onSubmit={() => save(readAs)}>
      <Field label="GamerTag" spellCheck={false} maxLength={20} {...errorOf('gamerTag')} />
      <Field label="Email" type="email" maxLength={limits.EMAIL_MAX_LENGTH} {...errorOf('email')} />
      {!isBusy && <Theirs edits={edits} onSaveMine={() => save(gamer)} />}
      <Button type="submit" text="Save profile" busy={isBusy && 'Saving…'} disabled={!edits.isChanged} />
    </Form>
  );
}

function DepositorSwitch({ gamer }: OfGamer) {
  const { run, isBusy } = useGamerCommand<http.DepositorStatusRequest, http.DepositorStatusResponse>(
    gamer,
    'depositor-status',
    'update depositor status',
  );
  const now = useServerNow(60_000);
  const until = gamer.depositorExpiresAt;
  const isActive = gamer.isDepositor && until !== null && now <= until;
  const toggle = () =>
    run({ isDepositor: !isActive }, ({ expiresAt }) => ({
      title: 'Depositor Status Updated',
      text: `${gamer.gamerTag}: ${expiresAt === null ? 'No longer a depositor.' : `A depositor until ${dayText(expiresAt)}.`}`,
    }));
  return (
    <Switch isOn={isActive} disabled={isBusy} onChange={() => void toggle()}>
      Depositor <span className="dim t14">{isActive ? `until ${dayText(until)}` : 'switching on gives 30 days'}</span>
    </Switch>
  );
}

const noAdjustment = { purchase: '', winnings: '', reason: '' };

/** Adds signed amounts to the balances, against `house:adjustments`. The ledger keeps the reason (decision 13). */
function AdjustForm({ gamer, proposedReason }: OfGamer & { proposedReason: string }) {
  const { values, bind, change } = useFields({ ...noAdjustment, reason: proposedReason });
  const { run } = useGamerCommand<AdjustRequest>(gamer, 'adjust', 'adjust balances');
  const purchase = deltaOf(values.purchase, gamer.purchaseBalance);
  const winnings = deltaOf(values.winnings, gamer.currentWinnings);
  const save = async () => {
    const problem = purchase.problem ?? winnings.problem;
    if (problem !== null || purchase.cents === null || winnings.cents === null || (!purchase.cents && !winnings.cents))
      return toastProblem('Invalid Form', problem ?? refusalText({ code: 'invalid-adjustment' }));
    const { reason } = values;
    const kept = reason.trim() === '' ? 'who did it, and that no reason was given' : 'who did it and why';
    const failure = await run(
      { purchaseBalanceCents: purchase.cents, totalWinningsCents: winnings.cents, reason },
      { title: 'Balances Adjusted', text: `${gamer.gamerTag}: the ledger keeps ${kept}.` },
    );
    if (failure === null) change(noAdjustment);
  };
  const dollars = (name: 'purchase' | 'winnings', balanceCents: number, delta: Delta) => {
    const hint = describeChange(balanceCents, delta);
    return { inputMode: 'text', placeholder: '0.00', ...bind(name), hint, error: delta.problem } as const;
  };
  return (
    <Form label="Adjust balances" onSubmit={save}>
      <div className="grid grid-cols-2 items-start gap-3">
        <Field label="Purchase, ± dollars" {...dollars('purchase', gamer.purchaseBalance, purchase)} />
        <Field label="Winnings, ± dollars" {...dollars('winnings', gamer.currentWinnings, winnings)} />
      </div>
      <ReasonField placeholder="Why the balance changes" {...bind('reason')} />
      <Submit text="Adjust balances" busy="Adjusting…" />
    </Form>
  );
}

/** Shows the password as it is typed, because the admin has to tell it to the gamer. */
function PasswordDialog({ gamer, onClose }: GamerDialogProps) {
  const { values, setProblems, bind } = useFields({ password: '' });
  const { run } = useGamerCommand<http.AdminResetPasswordRequest>(gamer, 'reset-password', 'update password');
  const done = { title: 'Password Updated', text: `${gamer.gamerTag} is logged out everywhere.` };
  const setPassword = async () => {
    const invalid = textOf(passwordRefusal(values.password));
    const problem = invalid === null ? await run(values, done) : toastProblem('Invalid Form', invalid);
    setProblems({ password: problem ?? undefined });
    return problem;
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
function DeleteDialog({ gamer, onClose, onGone }: GamerDialogProps & { onGone: () => void }) {
  const { id, gamerTag } = gamer;
  const { values, bind } = useFields({ gamerTag: '' });
  const [problem, setProblem] = useState<string | null>(null);
  const { run } = useCommand<void, http.DeleteGamerResponse>('DELETE', `/api/admin/gamers/${id}`, {
    what: 'delete gamer',
    failed: 'Deletion Failed',
    reloads: [postsKey],
  });
  const remove = async () => {
    const failure = await run(undefined, ({ details }) => ({
      title: 'Gamer Deleted',
      text: describeDeleted(gamerTag, details.reassignedChildren),
    }));
    setProblem(failure);
    if (failure === null) onGone();
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
      {problem !== null && <Notice tone="bad" title="Not deleted" text={problem} />}
      <Field label={`Type ${gamerTag} to confirm`} spellCheck={false} autoCapitalize="off" {...bind('gamerTag')} />
    </ConfirmDialog>
  );
}

/** A signed change of a balance; null when the text is not an amount. */
type Delta = { cents: number | null; problem: string | null };

/** Reads a signed change of a balance, typed in dollars. An empty text is no change. */
export function deltaOf(text: string, balanceCents: number): Delta {
  if (text.trim() === '') return { cents: 0, problem: null };
  const cents = centsFromInput(text);
  if (cents === null) return { cents, problem: commaProblem(text) ?? 'Dollars and cents, such as -3.00' };
  if (Math.abs(cents) > limits.MAX_ADJUSTMENT_CENTS)
    return { cents: null, problem: `At most ${formatCents(limits.MAX_ADJUSTMENT_CENTS)} at once` };
  if (balanceCents + cents < 0) return { cents, problem: refusalText({ code: 'adjustment-below-zero' }) };
  return { cents, problem: null };
}

export const describeChange = (balanceCents: number, { cents }: Delta): string =>
  `${formatCents(balanceCents)} ${cents ? `to ${formatCents(balanceCents + cents)}` : 'stays'}`;

const textOf = (code: PlainRefusalCode | null): string | null => code && refusalText({ code });

/** Requires one @ and a domain with a dot. The server checks more. */
const emailProblem = (email: string): string | null =>
  textOf(email.length <= limits.EMAIL_MAX_LENGTH && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) ? null : 'invalid-email');

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
