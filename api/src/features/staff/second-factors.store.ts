import { hash, randomBytes, scryptSync } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { Pool } from 'pg';
import type { GamerId } from '../../../../contracts/ids.js';
import { RECOVERY_CODES } from '../../../../contracts/limits.js';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config.js';
import { decrypt, ENCRYPTION_KEY_BYTES, encrypt } from '../../platform/encryption.js';
import { Refused } from '../../platform/failures.js';
import { AttemptLimits } from '../gamers/attempt-limits.js';
import { randomRecoveryCode } from '../gamers/random-text.js';
import { stepOfCode, TOTP_SECRET_BYTES } from './totp.js';

const SALT = 'omni-jackpot second factors 1';
const TOTP_CODE = /^\d{6}$/;

export type Proof = 'authenticator' | 'recovery code';

/** Staff's authenticators (secrets encrypted) and recovery codes (stored as digests). Each code counts once. */
@Injectable()
export class SecondFactors {
  private readonly logger = new Logger('second-factors');
  private readonly key: Buffer;

  constructor(
    private readonly pool: Pool,
    private readonly attemptLimits: AttemptLimits,
    private readonly clock: Clock,
    { secondFactorSecret }: Config,
  ) {
    // A reader of Postgres can test guesses of the secret, so each guess costs time and memory.
    this.key = scryptSync(secondFactorSecret, SALT, ENCRYPTION_KEY_BYTES);
  }

  async isEnrolled(gamerId: GamerId): Promise<boolean> {
    return (await this.encryptedSecretsOf(gamerId)).secret !== null;
  }

  /** Begins an enrolment, which does not count until it is confirmed; returns its secret. */
  async begin(gamerId: GamerId): Promise<Buffer> {
    const secret = randomBytes(TOTP_SECRET_BYTES);
    await this.pool.query(
      `INSERT INTO auth.second_factors (gamer_id, pending_secret) VALUES ($1, $2)
       ON CONFLICT (gamer_id) DO UPDATE SET pending_secret = excluded.pending_secret`,
      [gamerId, encrypt(secret, this.key, gamerId)],
    );
    return secret;
  }

  /** Confirms an enrolment by a code of its authenticator, in place of any before; returns the new recovery codes. */
  async confirm(gamerId: GamerId, code: string): Promise<string[]> {
    await this.attemptLimits.countProof('enrolment', gamerId);
    const { pending } = await this.encryptedSecretsOf(gamerId);
    if (!pending) throw new Refused('enrolment-not-begun');
    const step = stepOfCode(decrypt(pending, this.key, gamerId), code.trim(), this.clock.now());
    if (step === null) throw new Refused('wrong-code');
    const codes = Array.from({ length: RECOVERY_CODES }, randomRecoveryCode);
    const { rowCount } = await this.pool.query(
      `WITH confirmed AS (
         UPDATE auth.second_factors SET secret = pending_secret, pending_secret = NULL, last_step = $3
         WHERE gamer_id = $1 AND pending_secret = $2 RETURNING gamer_id
       ), former AS (
         DELETE FROM auth.recovery_codes USING confirmed WHERE recovery_codes.gamer_id = confirmed.gamer_id
       )
       INSERT INTO auth.recovery_codes (gamer_id, code_hash)
       SELECT gamer_id, code_hash FROM confirmed, unnest($4::bytea[]) AS code_hash`,
      [gamerId, pending, step, codes.map(digestOf)],
    );
    // Another enrolment began meanwhile.
    if (rowCount === 0) throw new Refused('enrolment-not-begun');
    await this.attemptLimits.forgiveProofs('enrolment', gamerId);
    return codes;
  }

  /** Uses a code up. Throws Refused when it is wrong or was used before, or after too many wrong ones. */
  async use(gamerId: GamerId, code: string, at: 'login' | 'step-up'): Promise<Proof> {
    await this.attemptLimits.countProof(at, gamerId);
    const typed = code.replace(/\s/g, '');
    const isOfAuthenticator = TOTP_CODE.test(typed);
    const isRight = await (isOfAuthenticator ? this.useTotp(gamerId, typed) : this.useRecoveryCode(gamerId, typed));
    if (!isRight) throw new Refused('wrong-code');
    await this.attemptLimits.forgiveProofs(at, gamerId);
    return isOfAuthenticator ? 'authenticator' : 'recovery code';
  }

  private async useTotp(gamerId: GamerId, code: string): Promise<boolean> {
    const encrypted = (await this.encryptedSecretsOf(gamerId)).secret;
    if (!encrypted) return false;
    let secret: Buffer;
    try {
      secret = decrypt(encrypted, this.key, gamerId);
    } catch {
      // A recovery code still lets the staff member in, to enrol again.
      this.logger.error(`the second factor of ${gamerId} cannot be decrypted: was SECOND_FACTOR_SECRET changed?`);
      return false;
    }
    const step = stepOfCode(secret, code, this.clock.now());
    if (step === null) return false;
    // A code of this or a later step may have been used before, on any node.
    const { rowCount } = await this.pool.query(
      'UPDATE auth.second_factors SET last_step = $2 WHERE gamer_id = $1 AND secret IS NOT NULL AND last_step < $2',
      [gamerId, step],
    );
    return rowCount === 1;
  }

  private async useRecoveryCode(gamerId: GamerId, code: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      'DELETE FROM auth.recovery_codes WHERE gamer_id = $1 AND code_hash = $2',
      [gamerId, digestOf(code)],
    );
    return rowCount === 1;
  }

  /** The secret in force, and that of an enrolment that is not confirmed yet. */
  private async encryptedSecretsOf(gamerId: GamerId): Promise<{ secret: Buffer | null; pending: Buffer | null }> {
    const { rows } = await this.pool.query<{ secret: Buffer | null; pending: Buffer | null }>(
      'SELECT secret, pending_secret AS pending FROM auth.second_factors WHERE gamer_id = $1',
      [gamerId],
    );
    return rows[0] ?? { secret: null, pending: null };
  }
}

/** The stored form of a recovery code, however its letters were typed. A fast digest suffices: it has 118 random bits. */
const digestOf = (code: string): Buffer => hash('sha256', code.toUpperCase().replace(/[^0-9A-Z]/g, ''), 'buffer');
