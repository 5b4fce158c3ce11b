import { Injectable } from '@nestjs/common';
import type { GamerEvent } from '../../../contracts/events/gamer-events.js';
import type { Actor } from '../../../contracts/events/metadata.js';
import type { CommandId, GamerId, Role } from '../../../contracts/ids.js';
import type { Refusal } from '../../../contracts/messages.js';
import { gamerStream } from '../../../contracts/streams.js';
import { Refused } from '../http/refused.js';
import { SessionStore } from '../http/session-store.js';
import { PasswordResetsStore } from '../password-resets/password-resets.store.js';
import { type StreamCommand, StreamCommands, type StreamResult } from '../streams/stream-commands.js';
import { brokenByEmail, brokenByPassword, brokenByTag } from './account.rules.js';
import { AccountsStore, type Tables } from './accounts.store.js';
import { Passwords } from './passwords.js';

interface By {
  actor: Actor;
  commandId: CommandId;
}

/** A gamer as their stream tells; null before the registration. */
type Who = { gamerTag: string; email: string; role: Role } | null;

/**
 * Changes of who a gamer is. The event comes first and the row follows it, in one transaction: what the log says and
 * what the door knows cannot part. All answer with the event's position, and throw Refused or Unavailable.
 */
@Injectable()
export class AccountChanges {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly passwords: Passwords,
    private readonly sessions: SessionStore,
    private readonly streams: StreamCommands,
    private readonly resets: PasswordResetsStore,
  ) {}

  async editProfile(gamerId: GamerId, wanted: { gamerTag: string; email: string }, by: By): Promise<string> {
    const account = await this.accounts.findById(gamerId);
    if (!account) throw new Refused('gamer-not-found');
    // What stays as it is need not keep the rules: the admin's own tag is a reserved one.
    const broken =
      (wanted.gamerTag === account.gamerTag ? null : brokenByTag(wanted.gamerTag)) ??
      (wanted.email === account.email ? null : brokenByEmail(wanted.email));
    if (broken) throw new Refused(broken);
    let position = '';
    await this.accounts.change(gamerId, wanted, async (tables) => {
      const asked = { type: 'EditProfile', gamerTag: wanted.gamerTag, email: wanted.email };
      const recorded = await this.record(gamerId, { by, asked }, (who) => ({ events: editsOf(gamerId, who, wanted) }));
      position = recorded.position;
      // What was mailed went to the address of before.
      if (recorded.events.some(({ type }) => type === 'EmailChanged')) await this.resets.dropAllOf(gamerId, tables);
      const { gamerTag, email } = recorded.state ?? wanted;
      return { gamerTag, email };
    });
    return position;
  }

  async changeRole(gamerId: GamerId, role: Exclude<Role, 'admin'>, by: By): Promise<string> {
    let position = '';
    await this.accounts.change(gamerId, { role }, async () => {
      const asked = { type: 'ChangeRole', role };
      const recorded = await this.record(gamerId, { by, asked }, ({ role: roleBefore }) => {
        if (roleBefore === 'admin') return { refusal: { code: 'admin-role-is-fixed' } };
        if (roleBefore === role) return { events: [] };
        return { events: [{ type: 'RoleChanged', data: { gamerId, role, roleBefore } }] };
      });
      position = recorded.position;
      return { role: recorded.state?.role ?? role };
    });
    return position;
  }

  /** Ends all sessions of the gamer, and voids the links that were mailed to them. `alongside` runs in the same transaction, and may refuse. */
  async changePassword(
    gamerId: GamerId,
    password: string,
    how: 'reset-link' | 'admin',
    by: By,
    alongside: (tables: Tables) => Promise<void> = async () => {},
  ): Promise<string> {
    const broken = brokenByPassword(password);
    if (broken) throw new Refused(broken);
    const passwordHash = await this.passwords.hash(password);
    const fingerprint = await this.passwords.fingerprint(password, by.commandId);
    let position = '';
    await this.accounts.change(gamerId, { passwordHash }, async (tables) => {
      await alongside(tables);
      const events: GamerEvent[] = [{ type: 'PasswordChanged', data: { gamerId, by: how } }];
      const asked = { type: 'ChangePassword', how, password: fingerprint };
      position = (await this.record(gamerId, { by, asked }, () => ({ events }))).position;
      await this.resets.dropAllOf(gamerId, tables);
      await this.sessions.endAllOf(gamerId);
      return { passwordHash };
    });
    // Once more: the old password may have opened one while the new one was not in force yet.
    await this.sessions.endAllOf(gamerId);
    return position;
  }

  private record(
    gamerId: GamerId,
    command: Pick<StreamCommand<Who, GamerEvent>, 'by' | 'asked'>,
    decide: (who: NonNullable<Who>) => { events: GamerEvent[] } | { refusal: Refusal },
  ): Promise<StreamResult<Who, GamerEvent>> {
    return this.streams.execute<Who, GamerEvent>({
      stream: gamerStream(gamerId),
      initial: null,
      evolve: (who, { event }) => evolveWho(who, event),
      decide: (who) => (who === null ? { refusal: { code: 'gamer-not-found' } } : decide(who)),
      ...command,
    });
  }
}

function editsOf(gamerId: GamerId, who: NonNullable<Who>, wanted: { gamerTag: string; email: string }): GamerEvent[] {
  const events: GamerEvent[] = [];
  const { gamerTag, email } = wanted;
  if (gamerTag !== who.gamerTag) {
    events.push({ type: 'GamerRenamed', data: { gamerId, gamerTag, gamerTagBefore: who.gamerTag } });
  }
  if (email !== who.email) events.push({ type: 'EmailChanged', data: { gamerId, email, emailBefore: who.email } });
  return events;
}

function evolveWho(who: Who, event: GamerEvent): Who {
  if (event.type === 'GamerRegistered') {
    const { gamerTag, email, role } = event.data;
    return { gamerTag, email, role };
  }
  if (who === null) return null;
  switch (event.type) {
    case 'GamerRenamed':
      return { ...who, gamerTag: event.data.gamerTag };
    case 'EmailChanged':
      return { ...who, email: event.data.email };
    case 'RoleChanged':
      return { ...who, role: event.data.role };
    default:
      return who;
  }
}
