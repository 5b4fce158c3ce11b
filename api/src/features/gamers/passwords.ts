import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { hash, hashRaw, type Options, verify } from '@node-rs/argon2';
import type { CommandId, GamerId } from '../../../../contracts/ids.js';
import { PASSWORD_MAX_LENGTH } from '../../../../contracts/limits.js';
import type { CommandMetadata } from '../../../../domain/ledger/ledger-commands.js';
import { SessionStore } from '../../http/sessions.store.js';
import { StreamCommands } from '../../ledger/stream-commands.js';
import { Config } from '../../platform/config.js';
import { Refused, Unavailable } from '../../platform/failures.js';
import { SecurityTrail } from '../staff/security-trail.store.js';
import { newPasswordRefusal } from './account.rules.js';
import { AccountMails } from './account-mails.js';
import { AccountsStore } from './accounts.store.js';
import { AttemptLimits } from './attempt-limits.js';
import { onGamer } from './gamer-log.js';
import { type MailedLink, MailedLinks } from './mailed-links.store.js';
import { randomPassword } from './random-text.js';

/** `Algorithm.Argon2id`; the name itself is an ambient const enum, which isolated modules cannot import. */
const ARGON2ID = 2;
/** OWASP's minimum for argon2id. */
const ARGON2: Options = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const SALT_BYTES = 16;
/** A hash occupies a core and 19 MiB for about 12 ms: many logins at once must not slow the game. */
const MAX_AT_ONCE = 2;
/** Back-pressure limits: with more waiting, a login would take most of a second, or an address would fill the queue. */
const MAX_WAITING = 100;
const MAX_WAITING_PER_ADDRESS = 20;

/** Hashes and checks passwords, a few at a time, each address in turn. Throws Unavailable when too many wait. */
@Injectable()
export class Passwords {
  private running = 0;
  private readonly waiting: { address: string; turn: number; begin: () => void }[] = [];
  /** The turn of the work that began last: in each turn every address has one. */
  private turn = 0;
  /** Checked in place of a missing hash, so that both checks take the same time. */
  private readonly dummyHash = this.hash(randomPassword());

  constructor(private readonly config: Config) {}

  /** Digest of a command's id and password: slow and keyed, because the log keeps a hash of it for ever. */
  async fingerprint(password: string, commandId: CommandId): Promise<string> {
    const salt = createHash('sha256').update(commandId).digest().subarray(0, SALT_BYTES);
    const secret = Buffer.from(this.config.sessionSecret, 'utf8');
    const raw = await this.inTurn('', () => hashRaw(normalized(password), { ...ARGON2, salt, secret }));
    return raw.toString('base64url');
  }

  /** @param address whose turn it takes; '' for the server's own work */
  hash(password: string, address = ''): Promise<string> {
    return this.inTurn(address, () => hash(normalized(password), ARGON2));
  }

  /** Whether the password matches. Takes the same time without a hash, so that timing does not reveal which accounts exist. */
  async matches(password: string, passwordHash: string | null, address: string): Promise<boolean> {
    const dummyHash = await this.dummyHash;
    // No gamer has a longer password; to hash all of it would only take time.
    const typed = normalized(password.slice(0, PASSWORD_MAX_LENGTH + 1));
    const isMatch = await this.inTurn(address, () => verify(passwordHash ?? dummyHash, typed));
    return isMatch && passwordHash !== null;
  }

  private async inTurn<T>(address: string, work: () => Promise<T>): Promise<T> {
    if (this.running < MAX_AT_ONCE) this.running += 1;
    else await this.turnOf(address);
    try {
      return await work();
    } finally {
      // Hands the place to the next in the queue; freeing it would let a new caller overtake.
      const next = this.waiting.shift();
      if (next === undefined) this.running -= 1;
      else {
        this.turn = next.turn;
        next.begin();
      }
    }
  }

  private turnOf(address: string): Promise<void> {
    const ofAddress = this.waiting.filter((one) => one.address === address).length;
    const isFull = this.waiting.length >= MAX_WAITING || (address !== '' && ofAddress >= MAX_WAITING_PER_ADDRESS);
    if (isFull) throw new Unavailable('too many passwords are waiting to be checked');
    return new Promise((begin) => {
      this.waiting.push({ address, turn: this.turn + 1 + ofAddress, begin });
      this.waiting.sort((one, other) => one.turn - other.turn);
    });
  }
}

/** Different encodings of the same letters are the same password (NIST SP 800-63B). */
const normalized = (password: string): string => password.normalize('NFKC');

/** Who changes a password, and how the security trail names that. */
const TRAIL = { 'reset-link': 'password-reset', admin: 'password-set', gamer: 'password-changed' } as const;

interface PasswordChange {
  gamerId: GamerId;
  password: string;
  by: keyof typeof TRAIL;
  address: string;
  /** The session that goes on; absent: all end. */
  keptSid?: string;
}

@Injectable()
export class AccountPasswords {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly passwords: Passwords,
    private readonly attemptLimits: AttemptLimits,
    private readonly trail: SecurityTrail,
    private readonly sessions: SessionStore,
    private readonly streams: StreamCommands,
    private readonly links: MailedLinks,
    private readonly mails: AccountMails,
  ) {}

  /** Asks somebody who is logged in for the password again. Throws Refused when it is wrong, or after too many wrong ones. */
  async check(gamerId: GamerId, password: string, address: string): Promise<void> {
    await this.attemptLimits.countProof('password', gamerId);
    const account = await this.accounts.findById(gamerId);
    if (!(await this.passwords.matches(password, account?.passwordHash ?? null, address))) {
      await this.trail.record({ type: 'password-failed', gamerId, address });
      throw new Refused('wrong-password');
    }
    await this.attemptLimits.forgiveProofs('password', gamerId);
  }

  /** Changes a password; ends sessions and voids mailed links. Returns the event's position. Throws Refused or Unavailable. */
  async change(
    { gamerId, password, by, address, keptSid }: PasswordChange,
    metadata: CommandMetadata,
    link?: MailedLink,
  ): Promise<string> {
    const account = await this.accounts.findById(gamerId);
    if (!account) throw new Refused('gamer-not-found');
    const code = newPasswordRefusal(password, account.role);
    if (code) throw new Refused(code);
    const passwordHash = await this.passwords.hash(password);
    const fingerprint = await this.passwords.fingerprint(password, metadata.commandId);
    const { position } = await this.accounts.change(gamerId, { passwordHash }, async (tables) => {
      if (link) await this.links.use(link, tables);
      const { position } = await this.streams.execute({
        ...onGamer(gamerId, () => ({ events: [{ type: 'PasswordChanged', data: { gamerId, by } }] })),
        metadata,
        content: { type: 'ChangePassword', how: by, password: fingerprint },
      });
      await this.links.dropAllOf(gamerId, tables);
      await this.sessions.endOthersOf(gamerId, keptSid);
      return { position, edit: { passwordHash } };
    });
    // A login with the old password may have begun a session before the transaction committed.
    await this.sessions.endOthersOf(gamerId, keptSid);
    this.mails.postTo(gamerId, 'password-changed');
    const { id: actorId } = metadata.actor;
    await this.trail.record({ type: TRAIL[by], gamerId, address, ...(by === 'admin' && { actorId }) });
    return position;
  }
}
