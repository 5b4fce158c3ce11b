import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { LedgerEvent } from '../../../../contracts/events/ledger-events.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { refusalText } from '../../../../contracts/refusals.js';
import type { LedgerCommand } from '../../../../domain/ledger/ledger-commands.js';
import { withLock } from '../../../../event-log/postgres.js';
import { InvalidSetting } from '../../../../event-log/settings.js';
import { whenReachable } from '../../../../event-log/startup.js';
import { Ledger } from '../../ledger/ledger.js';
import { Background } from '../../platform/background.js';
import { Config } from '../../platform/config.js';
import { isOutage, Refused } from '../../platform/failures.js';
import { newPasswordRefusal } from './account.rules.js';
import { AccountChanges } from './account-changes.store.js';
import { type Account, AccountsStore, newAccount } from './accounts.store.js';
import { AttemptLimits } from './attempt-limits.js';
import { ExcludedMailboxes } from './excluded-mailboxes.store.js';
import { GamerLog } from './gamer-log.js';
import { Passwords } from './passwords.js';

const SWEEP_INTERVAL_MS = 60_000;

/** Completes reserved registrations. Every step is idempotent, and a sweep at the start and every minute repairs a crash between two. */
@Injectable()
export class Enrolment implements OnApplicationBootstrap {
  private readonly logger = new Logger('registrations');

  constructor(
    private readonly accounts: AccountsStore,
    private readonly gamerLog: GamerLog,
    private readonly ledger: Ledger,
    private readonly changes: AccountChanges,
    private readonly passwords: Passwords,
    private readonly mailboxes: ExcludedMailboxes,
    private readonly background: Background,
    private readonly config: Config,
    limits: AttemptLimits,
  ) {
    // Nobody pays for a flood of accounts: a gamer who paid no longer counts against the address of the registration.
    ledger.onCommitted((committed) => {
      for (const { recorded } of committed) {
        const payer = payerOf(recorded.event);
        if (payer === null) continue;
        limits
          .forgiveRegistration(payer)
          .catch((error: Error) => this.logger.warn(`the registration of ${payer} still counts: ${error.message}`));
      }
    });
  }

  /** Creates the admin's account on empty stores; restores all accounts from the log, without passwords, when only Postgres was lost. */
  async onApplicationBootstrap(): Promise<void> {
    await this.mailboxes.mustHaveAllSecrets();
    const work = async () => {
      if ((await this.accounts.findAdmin()) === null) await this.restore();
      await this.ensureAdmin();
    };
    const warn = ({ message }: Error): void => this.logger.warn(`accounts are not ready yet: ${message}`);
    await whenReachable(() => withLock(this.config.databaseUrl, 'first start', work), isOutage, warn);
    const failure = 'unfinished registrations could not be read';
    this.background.every(SWEEP_INTERVAL_MS, () => this.sweep(), failure)();
  }

  /** An account that fails does not hold up the others; the next sweep tries it again. */
  async sweep(): Promise<void> {
    await this.changes.finish();
    for await (const account of this.accounts.notEnrolled()) {
      if (this.background.signal.aborted) return;
      await this.complete(account).catch((error: Error) => {
        this.logger.error(`the registration of ${account.gamerId} cannot be completed yet: ${error.message}`);
      });
    }
  }

  /** Returns the log position of the enrolment; null when the gamer was enrolled already. */
  async complete(account: Account): Promise<string | null> {
    if (account.enrolled) return null;
    await this.gamerLog.recordRegistration(account);
    const position = await this.enrol(account);
    await this.accounts.set(account.gamerId, { enrolled: true });
    return position;
  }

  private async enrol(account: Account): Promise<string | null> {
    const { gamerId, sponsorId, role } = account;
    if (role === 'admin') return this.execute({ type: 'EnrolAdmin', gamerId }, account);
    const sponsor = sponsorId === null ? null : await this.accounts.findById(sponsorId);
    // A sponsor whose own registration was interrupted must be enrolled first.
    if (sponsor) await this.complete(sponsor);
    try {
      return await this.execute({ type: 'EnrolGamer', gamerId, sponsorId }, account);
    } catch (error) {
      // The sponsor was removed since the registration began: the gamer joins without one (decision 4).
      const isSponsorGone = error instanceof Refused && error.refusal.code === 'referral-code-not-found';
      if (!isSponsorGone || sponsorId === null) throw error;
      return this.execute({ type: 'EnrolGamer', gamerId, sponsorId: null }, account);
    }
  }

  private async execute(command: LedgerCommand, { gamerId, role }: Account): Promise<string | null> {
    try {
      const metadata = { actor: { id: gamerId, role }, commandId: `enrol-${gamerId}` };
      return (await this.ledger.execute(command, metadata)).position;
    } catch (error) {
      // An interrupted try enrolled the gamer without the sponsor, who was gone: that command had another hash.
      const codes = ['gamer-already-enrolled', 'idempotency-key-reused'];
      if (error instanceof Refused && codes.includes(error.refusal.code)) return null;
      throw error;
    }
  }

  private async restore(): Promise<void> {
    const gamers = await this.gamerLog.readGamers();
    if (gamers.length === 0) return;
    // Enrolling again is harmless, because the ledger refuses a second place.
    const accounts = gamers.map(({ registeredAt: createdAt, ...gamer }) =>
      newAccount({ ...gamer, createdAt, passwordHash: null }),
    );
    await this.accounts.restore(accounts);
    this.logger.warn(`${gamers.length} accounts were restored from the event log, without passwords`);
  }

  private async ensureAdmin(): Promise<void> {
    let admin = await this.accounts.findAdmin();
    if (!admin) {
      const { adminGamerTag: gamerTag, adminEmail: email } = this.config;
      admin = newAccount({ gamerTag, email, passwordHash: await this.adminPasswordHash(), role: 'admin' });
      await this.accounts.reserve(admin);
    } else if (admin.passwordHash === null) {
      const hash = await this.adminPasswordHash();
      if (hash !== null) await this.accounts.set(admin.gamerId, { passwordHash: hash });
    }
    await this.complete(admin);
  }

  /** Null without ADMIN_PASSWORD: the only place to announce a generated password would be a log, and logs are kept. */
  private async adminPasswordHash(): Promise<string | null> {
    const { adminPassword } = this.config;
    if (adminPassword === null) {
      this.logger.warn('nobody can log in as the admin: set ADMIN_PASSWORD and start again');
      return null;
    }
    const code = newPasswordRefusal(adminPassword, 'admin');
    if (code) throw new InvalidSetting(`ADMIN_PASSWORD: ${refusalText({ code })}`);
    return this.passwords.hash(adminPassword);
  }
}

function payerOf({ type, data }: LedgerEvent): GamerId | null {
  if (type === 'DepositApproved' || type === 'InvoiceCredited') return data.gamerId;
  return type === 'TokenPurchased' && data.source === 'invoice' ? data.buyerId : null;
}
