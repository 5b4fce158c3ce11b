import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Config } from '../config.js';
import { Limiter } from '../http/limiter.store.js';
import { addressKey, digestOf } from './address.js';
import { KnownAddressesStore } from './known-addresses.store.js';

const QUARTER_HOUR_SECONDS = 15 * 60;
const HOUR_SECONDS = 60 * 60;
/** Nobody has a longer tag; what is sent may be as long as a request. */
const LONGEST_TAG_COUNTED = 32;

interface Limiters {
  pair: Limiter;
  address: Limiter;
  strangers: Limiter;
  registrations: Limiter;
  resets: Limiter;
  resetsFrom: Limiter;
}

/** A login being tried: `gamerId` is null for a tag that nobody has, which is limited just the same. */
export interface LoginAttempt {
  gamerTag: string;
  gamerId: string | null;
  ip: string;
}

/**
 * Limits on attempts (decision 34), counted in Postgres for all nodes together.
 *
 * Passwords of one account can be tried from one address a few times, and from one address a few times more whatever
 * the account. Against guessing from many addresses an account also has a limit of its own, but it counts only addresses
 * that its gamer never logged in from: whoever uses it up locks out other strangers, and not the gamer at home.
 */
@Injectable()
export class AttemptLimits {
  private readonly limiters: Limiters | null;

  constructor(
    pool: Pool,
    private readonly config: Config,
    private readonly knownAddresses: KnownAddressesStore,
  ) {
    this.limiters = openLimiters(pool, config);
  }

  /** Counts a login before its password is looked at, so that many at once cannot slip by. Throws Refused. */
  async countLogin(attempt: LoginAttempt): Promise<void> {
    if (!this.limiters) return;
    const { pair, address, strangers } = this.limiters;
    const { pairKey, from, tag } = this.keysOf(attempt);
    await pair.count(pairKey);
    await address.count(from);
    if (!(await this.isKnown(attempt, from))) await strangers.count(tag);
  }

  /** A login that was right is no attempt; and its address is the gamer's from now on. */
  async forgiveLogin(attempt: LoginAttempt & { gamerId: string }, now: Date): Promise<void> {
    if (!this.limiters) return;
    const { pair, address, strangers } = this.limiters;
    const { pairKey, from, tag } = this.keysOf(attempt);
    const wasKnown = await this.isKnown(attempt, from);
    await Promise.all([pair.forget(pairKey), address.reward(from), !wasKnown && strangers.reward(tag)]);
    await this.knownAddresses.remember(attempt.gamerId, from, now);
  }

  async countRegistration(ip: string): Promise<void> {
    if (this.limiters) await this.limiters.registrations.count(addressKey(ip, this.config.sessionSecret));
  }

  /** A reset asked for: counted the same whether the account exists or not. Throws Refused. */
  async countResetRequest({ gamerTag, email, ip }: { gamerTag: string; email: string; ip: string }): Promise<void> {
    if (!this.limiters) return;
    await this.countReset(ip);
    // Both together: whoever knows the tag alone cannot use up what the gamer may ask for.
    await this.limiters.resets.count(digestOf(`${gamerTag} ${email}`.toLowerCase(), this.config.sessionSecret));
  }

  /** A reset asked for or a link tried, from an address. Throws Refused. */
  async countReset(ip: string): Promise<void> {
    if (this.limiters) await this.limiters.resetsFrom.count(addressKey(ip, this.config.sessionSecret));
  }

  private keysOf({ gamerTag, ip }: LoginAttempt): { pairKey: string; from: string; tag: string } {
    const from = addressKey(ip, this.config.sessionSecret);
    const tag = gamerTag.toLowerCase().slice(0, LONGEST_TAG_COUNTED);
    return { pairKey: `${tag}|${from}`, from, tag };
  }

  private async isKnown({ gamerId }: LoginAttempt, from: string): Promise<boolean> {
    return gamerId !== null && (await this.knownAddresses.isKnown(gamerId, from));
  }
}

function openLimiters(pool: Pool, { attemptLimits }: Config): Limiters | null {
  if (!attemptLimits) return null;
  const limiter = (keyPrefix: string, points: number, durationSeconds: number) =>
    new Limiter(pool, { keyPrefix, points, durationSeconds });
  return {
    pair: limiter('login', attemptLimits.loginsPerAccountAndAddress, QUARTER_HOUR_SECONDS),
    address: limiter('login-from', attemptLimits.loginsPerAddress, QUARTER_HOUR_SECONDS),
    strangers: limiter('login-strangers', attemptLimits.loginsPerAccountFromStrangers, HOUR_SECONDS),
    registrations: limiter('register-from', attemptLimits.registrationsPerAddress, HOUR_SECONDS),
    resets: limiter('reset', attemptLimits.passwordResetsPerAccount, HOUR_SECONDS),
    resetsFrom: limiter('reset-from', attemptLimits.passwordResetsPerAddress, HOUR_SECONDS),
  };
}
