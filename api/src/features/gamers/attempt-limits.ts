import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { canonicalEmail } from '../../../../contracts/email.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { addressKey, digestOf } from '../../http/client-address.js';
import { knowsGamer } from '../../http/cookies.js';
import { RateLimits } from '../../http/rate-limits.store.js';
import { Config } from '../../platform/config.js';

/** Bounds the key when a request sends more. No GamerTag is as long. */
const MAX_TAG_KEY_LENGTH = 32;

/** A second factor's code at the login, in a session or for an enrolment; the current password in a session. */
export type ProofKind = 'login' | 'step-up' | 'enrolment' | 'password';

/** `gamerId` is null for an unknown tag or email, which is limited in the same way. */
export interface LoginAttempt {
  username: string;
  gamerId: GamerId | null;
  address: string;
  /** The device cookie; '' without one. */
  device: string;
}

/**
 * Limits on attempts (decision 34), counted in Postgres for all nodes. The limit per account is against guesses from many addresses.
 * A device with an earlier login has its own limit alone, so wrong guesses of others never lock its gamer out.
 */
@Injectable()
export class AttemptLimits {
  constructor(
    private readonly pool: Pool,
    private readonly rateLimits: RateLimits,
    private readonly config: Config,
  ) {}

  /** Counts a login before its password is checked, so that parallel attempts cannot pass the limit. Throws Refused. */
  async countLogin(attempt: LoginAttempt): Promise<void> {
    for (const [limit, key] of this.limitsOn(attempt)) await this.rateLimits.count(limit, key);
  }

  async forgiveLogin(attempt: LoginAttempt): Promise<void> {
    for (const [limit, key] of this.limitsOn(attempt))
      if (limit === 'loginsPerAccountAndAddress') await this.rateLimits.forget(limit, key);
      else await this.rateLimits.reward(limit, key);
  }

  /** Limits correct logins too: each costs a session and the hashing of a password. Throws Refused. */
  async countSuccess(gamerId: GamerId, address: string): Promise<void> {
    await this.rateLimits.count('successfulLoginsPerAccount', gamerId);
    await this.rateLimits.count('successfulLoginsPerAddress', this.keyOf(address));
  }

  async countRegistration(address: string): Promise<void> {
    await this.rateLimits.count('registrationsPerAddress', this.keyOf(address));
  }

  /** Subtracts a gamer's registration within the last hour from the count of its address, once, so that neighbours can register. */
  async forgiveRegistration(gamerId: GamerId): Promise<void> {
    const { rows } = await this.pool.query<{ address: string }>(
      `WITH registered AS (
         SELECT address FROM auth.security_events WHERE gamer_id = $1 AND type = 'registered' AND at > now() - interval '1 hour' LIMIT 1
       ), first AS (
         INSERT INTO auth.attempts SELECT 'proved:' || $1, 1, extract(epoch FROM now() + interval '1 hour') * 1000
         FROM registered ON CONFLICT DO NOTHING RETURNING key
       ) SELECT address FROM registered, first`,
      [gamerId],
    );
    if (rows[0]) await this.rateLimits.reward('registrationsPerAddress', this.keyOf(rows[0].address));
  }

  /** Counts the request for a reset link, the same whether the account exists or not. Throws Refused. */
  async countResetRequest(request: { gamerTag: string; email: string; address: string }): Promise<void> {
    const { gamerTag, email, address } = request;
    await this.countLinkUse(address);
    // The key holds tag and email: knowing the tag alone is not enough to use up the gamer's requests.
    const key = `${gamerTag.toLowerCase()} ${canonicalEmail(email)}`;
    await this.rateLimits.count('mailedLinksPerAccount', digestOf(key, this.config.sessionSecret));
  }

  async countEmailLink(gamerId: GamerId): Promise<void> {
    await this.rateLimits.count('mailedLinksPerAccount', `email of ${gamerId}`);
  }

  /** Counts the request for a link, or the use of one, from an address. Throws Refused. */
  async countLinkUse(address: string): Promise<void> {
    await this.rateLimits.count('mailedLinksPerAddress', this.keyOf(address));
  }

  async forgiveReset(address: string): Promise<void> {
    await this.rateLimits.reward('mailedLinksPerAddress', this.keyOf(address));
  }

  /** Counts a proof before it is checked. Throws Refused. Guesses at one kind must not lock the owner out of another. */
  async countProof(kind: ProofKind, gamerId: GamerId): Promise<void> {
    await this.rateLimits.count('proofsPerAccount', `${kind} ${gamerId}`);
  }

  async forgiveProofs(kind: ProofKind, gamerId: GamerId): Promise<void> {
    await this.rateLimits.forget('proofsPerAccount', `${kind} ${gamerId}`);
  }

  private keyOf(address: string): string {
    return addressKey(address, this.config.sessionSecret);
  }

  private limitsOn({ username, gamerId, address, device }: LoginAttempt) {
    const { sessionSecret } = this.config;
    // An email has counts of its own: shared ones would tell a guesser which GamerTag it belongs to.
    const tag = username.includes('@')
      ? digestOf(canonicalEmail(username), sessionSecret)
      : username.toLowerCase().slice(0, MAX_TAG_KEY_LENGTH);
    if (gamerId !== null && knowsGamer(device, gamerId, sessionSecret))
      return [['loginsPerAccountAndAddress', `${tag}|known device`]] as const;
    const from = this.keyOf(address);
    return [
      ['loginsPerAccountAndAddress', `${tag}|${from}`],
      ['loginsPerAddress', from],
      ['loginsPerAccountFromStrangers', tag],
    ] as const;
  }
}
