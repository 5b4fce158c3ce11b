import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { GamerEvent } from '../../../contracts/events/gamer-events.js';
import type { MessageResponse } from '../../../contracts/http/gamers.js';
import { type GamerId, isStaff, type Power, type Role } from '../../../contracts/ids.js';
import { SessionStore } from '../http/sessions.store.js';
import { Ledger } from '../ledger/ledger.js';
import { StreamCommands } from '../ledger/stream-commands.js';
import { BusCommand, WithPosition } from '../platform/bus-command.js';
import { Refused } from '../platform/failures.js';
import { brokenByEmail, brokenByTag } from './account.rules.js';
import { AccountsStore } from './accounts.store.js';
import { type GamerIdentity, onGamer } from './gamer-log.js';
import { PasswordResetsStore } from './password-resets.store.js';

/*
 * The admin's changes of a gamer's account. The event is appended first and the row follows, in one transaction, so that
 * log and table always agree.
 */

interface Profile {
  gamerTag: string;
  email: string;
}

export class EditProfile extends BusCommand<{ gamerId: GamerId; profile: Profile }, MessageResponse> {}

interface NewRole {
  gamerId: GamerId;
  role: Exclude<Role, 'admin'>;
  /** An operator has some, all others none. */
  powers: readonly Power[];
}

export class ChangeRole extends BusCommand<NewRole, MessageResponse> {}

@CommandHandler(EditProfile)
export class EditProfileHandler implements ICommandHandler<EditProfile> {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly streams: StreamCommands,
    private readonly resets: PasswordResetsStore,
  ) {}

  async execute({ fields: { gamerId, profile }, metadata }: EditProfile) {
    const { gamerTag, email } = profile;
    const account = await this.accounts.findById(gamerId);
    if (!account) throw new Refused('gamer-not-found');
    // Only a changed field must follow the rules: the admin's own tag is a reserved one.
    const broken =
      (gamerTag === account.gamerTag ? null : brokenByTag(gamerTag)) ??
      (email === account.email ? null : brokenByEmail(email));
    if (broken) throw new Refused(broken);
    let position = '';
    await this.accounts.change(gamerId, profile, async (tables) => {
      const recorded = await this.streams.execute({
        ...onGamer(gamerId, (identity) => ({ events: editsOf(gamerId, identity, profile) })),
        metadata,
        content: { type: 'EditProfile', gamerTag, email },
      });
      position = recorded.position;
      // Reset links already mailed went to the former address.
      if (recorded.events.some(({ type }) => type === 'EmailChanged')) await this.resets.dropAllOf(gamerId, tables);
      return { gamerTag: recorded.state?.gamerTag ?? gamerTag, email: recorded.state?.email ?? email };
    });
    return new WithPosition(position, { message: 'The profile is saved' });
  }
}

@CommandHandler(ChangeRole)
export class ChangeRoleHandler implements ICommandHandler<ChangeRole> {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly streams: StreamCommands,
    private readonly sessions: SessionStore,
    private readonly ledger: Ledger,
  ) {}

  /** The ledger makes staff of the gamer before the role begins, and ends it after the role has ended (decision 47). */
  async execute({ fields: { gamerId, role, powers }, metadata }: ChangeRole) {
    let position = '';
    const setStaff = async (isStaff: boolean) => {
      position = (await this.ledger.execute({ type: 'SetStaffStatus', gamerId, isStaff, powers }, metadata)).position;
    };
    await this.accounts.change(gamerId, { role }, async () => {
      if (isStaff(role)) {
        await setStaff(true);
        await this.sessions.limitAsStaff(gamerId);
      }
      const recorded = await this.streams.execute({
        ...onGamer(gamerId, ({ role: roleBefore }) => {
          if (roleBefore === 'admin') return { refusal: { code: 'admin-role-is-fixed' } };
          if (roleBefore === role) return { events: [] };
          return { events: [{ type: 'RoleChanged', data: { gamerId, role, roleBefore } }] };
        }),
        metadata,
        content: { type: 'ChangeRole', role, powers: powers.join() },
      });
      position = recorded.position;
      const roleNow = recorded.state?.role ?? role;
      if (roleNow === 'gamer') await setStaff(false);
      return { role: roleNow };
    });
    return new WithPosition(position, { message: `The role is ${role}` });
  }
}

function editsOf(gamerId: GamerId, identity: NonNullable<GamerIdentity>, { gamerTag, email }: Profile): GamerEvent[] {
  const events: GamerEvent[] = [];
  if (gamerTag !== identity.gamerTag) {
    events.push({ type: 'GamerRenamed', data: { gamerId, gamerTag, gamerTagBefore: identity.gamerTag } });
  }
  if (email !== identity.email) {
    events.push({ type: 'EmailChanged', data: { gamerId, email, emailBefore: identity.email } });
  }
  return events;
}
