import { useState } from 'react';
import type {
  AdminGamerRow,
  AdminResetPasswordRequest,
  DeleteGamerResponse,
  DepositorStatusRequest,
  DepositorStatusResponse,
  EditProfileRequest,
} from '../../../../contracts/http/gamers.js';
import type { ProtectionResponse } from '../../../../contracts/http/protection.js';
import type { ChangeRoleRequest } from '../../../../contracts/http/staff.js';
import type { AdjustRequest } from '../../../../contracts/http/winnings.js';
import { POWERS, type Power } from '../../../../contracts/ids.js';
import {
  EMAIL_MAX_LENGTH,
  MAX_ADJUSTMENT_CENTS,
  NO_LIMITS,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
} from '../../../../contracts/limits.js';
import { formatCents } from '../../../../contracts/money.js';
import { dayText } from '../../../../contracts/new-york-texts.js';
import { limitsText, type PlainRefusalCode, refusalText } from '../../../../contracts/refusals.js';
import { gamerTagRefusal, passwordRefusal } from '../../../../contracts/validation.js';
import { versionOf } from '../../../../contracts/versions.js';
import { useApi } from '../../shared/api/use-api.js';
import { useCommand } from '../../shared/api/use-command.js';
import { useServerNow } from '../../shared/clock.js';
import { centsFromInput, commaProblem, counted, dateTimeText } from '../../shared/format.js';
import { useSession } from '../../shared/session.queries.js';
import { ConfirmDialog, ReasonField } from '../../shared/ui/admin-parts.js';
import { Button, Field, type FieldProps, Form, SelectField, useFields } from '../../shared/ui/controls.js';
import { Theirs, useEdits } from '../../shared/ui/edits.js';
import { Notice } from '../../shared/ui/notice.js';
import { Switch } from '../../shared/ui/switch.js';
import { toastProblem } from '../../shared/ui/toasts.js';
import { postsKey } from '../community/posts.js';
import { ticketsKey } from '../support/tickets-panel.js';
import { profitsKey } from '../withdrawals/withdrawal-rules.js';

export const gamersKey = ['/api', 'admin', 'mini', 'gamers'] as const;
const gamerPath = ({ id }: AdminGamerRow, action: string) => `/api/admin/mini/gamers/${id}/${action}`;

interface EditGamerProps {
  gamer: AdminGamerRow;
  reason?: string;
  onGone: () => void;
}

export function EditGamer({ gamer, reason = '', onGone }: EditGamerProps) {
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
function ProtectionNotice({ gamer: { id } }: { gamer: AdminGamerRow }) {
  const { data } = useApi<ProtectionResponse>(['/api', 'gamer', id, 'protection']);
  if (!data || (data.exclusion === null && limitsText(data.limits) === limitsText(NO_LIMITS))) return null;
  const { exclusion, limits } = data;
  const of = exclusion?.kind === 'time-out' ? 'In a time-out' : 'Self-excluded';
  const title = exclusion ? `${of} until ${dateTimeText(exclusion.untilEpochMs)}` : 'Has limits';
  return <Notice tone="time" title={title} text={`Limits: ${limitsText(limits)}. Only the gamer changes this.`} />;
}

function ProfileForm({ gamer }: { gamer: AdminGamerRow }) {
  const edits = useEdits({ gamerTag: gamer.gamerTag, email: gamer.email }, { gamerTag: 'GamerTag', email: 'Email' });
  const { values, readAs, bind, reset } = edits;
  const [isTried, setTried] = useState(false);
  const { run, isBusy } = useCommand<EditProfileRequest>('PATCH', gamerPath(gamer, 'profile'), {
    what: 'update profile',
    reloads: [gamersKey],
  });
  const profile = { gamerTag: values.gamerTag.trim(), email: values.email.trim() };
  const problems = { gamerTag: gamerTagProblem(profile.gamerTag), email: emailProblem(profile.email) };
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
      <Field label="Email" type="email" maxLength={EMAIL_MAX_LENGTH} {...errorOf('email')} />
      {!isBusy && <Theirs edits={edits} onSaveMine={() => save(gamer)} />}
      <Button type="submit" text="Save profile" busy={isBusy && 'Saving…'} disabled={!edits.isChanged} />
    </Form>
  );
}

function DepositorSwitch({ gamer }: { gamer: AdminGamerRow }) {
  const { run, isBusy } = useCommand<DepositorStatusRequest, DepositorStatusResponse>(
    'POST',
    gamerPath(gamer, 'depositor-status'),
    { what: 'update depositor status', reloads: [gamersKey] },
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
function AdjustForm({ gamer, proposedReason }: { gamer: AdminGamerRow; proposedReason: string }) {
  const { values, bind, change } = useFields({ ...noAdjustment, reason: proposedReason });
  const { run, isBusy } = useCommand<AdjustRequest>('POST', gamerPath(gamer, 'adjust'), {
    what: 'adjust balances',
    reloads: [gamersKey],
  });
  const purchase = deltaOf(values.purchase, gamer.purchaseBalance);
  const winnings = deltaOf(values.winnings, gamer.currentWinnings);
  const save = async () => {
    const problem = purchase.problem ?? winnings.problem;
    if (problem !== null || purchase.cents === null || winnings.cents === null || (!purchase.cents && !winnings.cents))
      return toastProblem('Invalid Form', problem ?? refusalText({ code: 'invalid-adjustment' }));
    const { reason } = values;
    const failure = await run(
      { purchaseBalanceCents: purchase.cents, totalWinningsCents: winnings.cents, reason },
      { title: 'Balances Adjusted', text: `${gamer.gamerTag}: the ledger keeps who did it and why.` },
    );
    if (failure === null) change(noAdjustment);
  };
  const dollars: Partial<FieldProps> = { inputMode: 'text', placeholder: '0.00' };
  return (
    <Form label="Adjust balances" onSubmit={save}>
      <div className="grid grid-cols-2 items-start gap-3">
        <Field
          {...dollars}
          label="Purchase, ± dollars"
          hint={describeChange(gamer.purchaseBalance, purchase)}
          {...bind('purchase')}
          error={purchase.problem}
        />
        <Field
          {...dollars}
          label="Winnings, ± dollars"
          hint={describeChange(gamer.currentWinnings, winnings)}
          {...bind('winnings')}
          error={winnings.problem}
        />
      </div>
      <ReasonField placeholder="Why the balance changes" {...bind('reason')} />
      <Button type="submit" kind="act wide" text="Adjust balances" busy={isBusy && 'Adjusting…'} />
    </Form>
  );
}

interface GamerDialogProps {
  gamer: AdminGamerRow;
  onClose: () => void;
}

/** Shows the password as it is typed, because the admin has to tell it to the gamer. */
function PasswordDialog({ gamer, onClose }: GamerDialogProps) {
  const { values, setProblems, bind } = useFields({ password: '' });
  const { run } = useCommand<AdminResetPasswordRequest>('POST', gamerPath(gamer, 'reset-password'), {
    what: 'update password',
    reloads: [gamersKey],
  });
  const done = { title: 'Password Updated', text: `${gamer.gamerTag} is logged out everywhere.` };
  const setPassword = async () => {
    const invalid = passwordProblem(values.password);
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
        maxLength={PASSWORD_MAX_LENGTH}
        hint={`At least ${PASSWORD_MIN_LENGTH} characters. Do not share it with anyone else.`}
        {...bind('password')}
      />
    </ConfirmDialog>
  );
}

/** Reloaded after a deletion. The gamer's balances go to the account `house:forfeited`, which the profits include. */
const deletionChanges = [gamersKey, profitsKey, ticketsKey, postsKey];

/** Says what a deletion destroys. The admin has to type the gamer's tag, so that nobody is deleted by mistake. */
function DeleteDialog({ gamer, onClose, onGone }: GamerDialogProps & { onGone: () => void }) {
  const { id, gamerTag } = gamer;
  const { values, bind } = useFields({ gamerTag: '' });
  const [problem, setProblem] = useState<string | null>(null);
  const { run } = useCommand<void, DeleteGamerResponse>('DELETE', `/api/admin/gamers/${id}`, {
    what: 'delete gamer',
    failed: 'Deletion Failed',
    reloads: deletionChanges,
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

export const roleName = (role: AdminGamerRow['role']): string => `${role[0]?.toUpperCase()}${role.slice(1)}`;

const roles = (['gamer', 'auditor', 'operator'] as const).map((value) => ({ value, text: roleName(value) }));

export function RoleSelect({ gamer }: { gamer: AdminGamerRow }) {
  const [wanted, setWanted] = useState<AdminGamerRow['role'] | null>(null);
  return (
    <>
      <SelectField
        label="Role"
        value={gamer.role}
        options={roles}
        hint="An auditor can read the audit screens and has no admin rights. An operator does what their powers allow. Neither plays."
        onChange={(chosen) => setWanted(roles.find(({ value }) => value === chosen)?.value ?? null)}
      />
      {gamer.role === 'operator' && (
        <Button
          kind="line sm"
          text={`Powers: ${gamer.powers.map((power) => POWER_NAMES[power].title).join(', ')}`}
          aria-label={`Change the powers of ${gamer.gamerTag}`}
          onClick={() => setWanted('operator')}
        />
      )}
      {wanted !== null && <RoleDialog gamer={gamer} wanted={wanted} onClose={() => setWanted(null)} />}
    </>
  );
}

interface RoleDialogProps {
  gamer: AdminGamerRow;
  wanted: AdminGamerRow['role'];
  onClose: () => void;
}

function RoleDialog({ gamer, wanted, onClose }: RoleDialogProps) {
  const { gamerTag, role } = gamer;
  const [powers, setPowers] = useState<readonly Power[]>(gamer.powers);
  const [readAs, setReadAs] = useState<string | undefined>(versionOf(role, gamer.powers));
  const { run } = useCommand<ChangeRoleRequest>('POST', gamerPath(gamer, 'role'), {
    what: 'update role',
    reloads: [gamersKey],
  });
  const isOperator = wanted === 'operator';
  const name = roleName(wanted).toLowerCase();
  const article = wanted === 'gamer' ? 'a' : 'an';
  const title = role === wanted ? `Change the powers of ${gamerTag}?` : `Make ${gamerTag} ${article} ${name}?`;
  return (
    <ConfirmDialog
      title={wanted === 'gamer' ? `Make ${gamerTag} a gamer again?` : title}
      description={describeRoleChange(wanted, gamerTag)}
      labels={{ cancel: 'Leave it', confirm: role === wanted ? 'Save powers' : `Make ${name}`, busy: 'Changing…' }}
      tone="act"
      isReady={!isOperator || powers.length > 0}
      onClose={onClose}
      onConfirm={async () => {
        const done = { title: 'Role Updated', text: `${gamerTag} is ${article} ${name} now.` };
        const problem = await run(isOperator ? { role: wanted, powers: [...powers] } : { role: wanted }, done, readAs);
        // A second press, after the warning, saves these.
        setReadAs(undefined);
        return problem;
      }}
    >
      {isOperator && (
        <fieldset className="grid gap-3">
          <legend className="label">Powers</legend>
          {POWERS.map((power) => (
            <Switch
              key={power}
              isOn={powers.includes(power)}
              onChange={(isOn) => setPowers(isOn ? [...powers, power] : powers.filter((one) => one !== power))}
            >
              {POWER_NAMES[power].title} <span className="dim t14">{POWER_NAMES[power].text}</span>
            </Switch>
          ))}
        </fieldset>
      )}
    </ConfirmDialog>
  );
}

interface Delta {
  /** Signed; null when the text is not an amount. */
  cents: number | null;
  problem: string | null;
}

/** Reads a signed change of a balance, typed in dollars. An empty text is no change. */
export function deltaOf(text: string, balanceCents: number): Delta {
  if (text.trim() === '') return { cents: 0, problem: null };
  const cents = centsFromInput(text);
  if (cents === null) return { cents, problem: commaProblem(text) ?? 'Dollars and cents, such as -3.00' };
  if (Math.abs(cents) > MAX_ADJUSTMENT_CENTS)
    return { cents: null, problem: `At most ${formatCents(MAX_ADJUSTMENT_CENTS)} at once` };
  if (balanceCents + cents < 0) return { cents, problem: refusalText({ code: 'adjustment-below-zero' }) };
  return { cents, problem: null };
}

export function describeChange(balanceCents: number, { cents }: Delta): string {
  return cents === null || cents === 0
    ? `${formatCents(balanceCents)} stays`
    : `${formatCents(balanceCents)} to ${formatCents(balanceCents + cents)}`;
}

const textOf = (code: PlainRefusalCode | null): string | null => code && refusalText({ code });

const gamerTagProblem = (gamerTag: string) => textOf(gamerTagRefusal(gamerTag));
const passwordProblem = (password: string) => textOf(passwordRefusal(password));

/** Requires one @ and a domain with a dot. The server checks more. */
const emailProblem = (email: string): string | null =>
  email.length <= EMAIL_MAX_LENGTH && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)
    ? null
    : refusalText({ code: 'invalid-email' });

export const POWER_NAMES: Record<Power, { title: string; text: string }> = {
  money: { title: 'Money', text: 'deposits, payouts, adjustments, depositor status' },
  game: { title: 'Game', text: 'start, force live, reset, timers' },
  support: { title: 'Support', text: 'tickets, exclusions' },
  community: { title: 'Community', text: 'hide posts' },
};

function describeRoleChange(role: AdminGamerRow['role'], gamerTag: string): string {
  switch (role) {
    case 'auditor':
      return `${gamerTag} becomes an auditor, who reads the audit screens: every event, account and statement. They cannot change anything, have no admin rights, and neither buy, earn nor withdraw while they are one.`;
    case 'operator':
      return `${gamerTag} may do in your place what the powers allow. The ledger names them in each act. An operator neither buys, deposits, earns nor withdraws while they are one.`;
    case 'gamer':
      return `${gamerTag} is no longer staff: the audit screens and the admin panel close for them. Their account, money and place in the matrix do not change.`;
  }
}

export function describeDeletion({ gamerTag, purchaseBalance, currentWinnings }: AdminGamerRow): string[] {
  const money =
    purchaseBalance === 0 && currentWinnings === 0
      ? 'They have no balance.'
      : `Their ${formatCents(purchaseBalance)} purchase balance and ${formatCents(currentWinnings)} winnings are forfeited to the operator.`;
  return [
    `${gamerTag}’s account, email, saved wallets, support tickets and posts are deleted. They cannot log in again.`,
    money,
    'Their first child in the matrix takes their place with its team; the others move to free places under the grandparent, teams intact.',
    'The ledger keeps what they bought and won, without a name. This cannot be undone.',
  ];
}

export const describeDeleted = (gamerTag: string, reassignedChildren: number): string =>
  reassignedChildren === 0
    ? `${gamerTag} was deleted. Nobody moved in the matrix.`
    : `${gamerTag} was deleted. ${counted(reassignedChildren, 'gamer')} moved in the matrix.`;
