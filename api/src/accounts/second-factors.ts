import { createCipheriv, createDecipheriv, createHash, randomBytes, scryptSync } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import type { GamerId } from '../../../contracts/ids.js';
import { RECOVERY_CODES } from '../../../contracts/limits.js';
import { Clock } from '../platform/clock.js';
import { Config } from '../platform/config.js';
import { Refused } from '../platform/failures.js';
import { AccountsStore } from './accounts.store.js';
import { AttemptLimits } from './attempt-limits.js';
import { randomRecoveryCode } from './random-text.js';
import { SecondFactorsStore } from './second-factors.store.js';
import { stepOfCode, TOTP_SECRET_BYTES } from './totp.js';

const CIPHER = 'aes-256-gcm';
const SALT = 'omni-jackpot second factors 1';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const TOTP_CODE = /^\d{6}$/;

/** The kind of code that was used. */
export type Proof = 'authenticator' | 'recovery code';

/** Staff's second factors: a code of an authenticator app, or a recovery code in its place. Each code counts once. */
@Injectable()
export class SecondFactors {
  private readonly logger = new Logger('second-factors');
  private readonly key: Buffer;

  constructor(
    private readonly accounts: AccountsStore,
    private readonly store: SecondFactorsStore,
    private readonly limits: AttemptLimits,
    private readonly clock: Clock,
    { secondFactorSecret }: Config,
  ) {
    // A reader of Postgres can test guesses of the secret, so each guess costs time and memory.
    this.key = scryptSync(secondFactorSecret, SALT, KEY_BYTES);
  }

  async isEnrolled(gamerId: GamerId): Promise<boolean> {
    return (await this.accounts.findById(gamerId))?.secondFactor != null;
  }

  /** Begins an enrolment, which does not count until it is confirmed; returns its secret. */
  async begin(gamerId: GamerId): Promise<Buffer> {
    const secret = randomBytes(TOTP_SECRET_BYTES);
    await this.store.setPending(gamerId, this.encrypted(gamerId, secret));
    return secret;
  }

  /** Confirms an enrolment by a code of its authenticator, in place of any before; returns the new recovery codes. */
  async confirm(gamerId: GamerId, code: string): Promise<string[]> {
    await this.limits.countProof('enrolment', gamerId);
    const pending = await this.store.pendingSecretOf(gamerId);
    if (!pending) throw new Refused('enrolment-not-begun');
    const step = stepOfCode(this.decrypted(gamerId, pending), code.trim(), this.clock.now());
    if (step === null) throw new Refused('wrong-code');
    const codes = Array.from({ length: RECOVERY_CODES }, randomRecoveryCode);
    const confirmed = { encrypted: pending, step, codeHashes: codes.map(digestOf) };
    await this.accounts.change(gamerId, { secondFactor: markOf(pending) }, async (tables) => {
      if (!(await this.store.confirm(gamerId, confirmed, tables))) throw new Refused('enrolment-not-begun');
      return {};
    });
    await this.limits.forgiveProofs('enrolment', gamerId);
    return codes;
  }

  /** Uses a code up. Throws Refused when it is wrong or was used before, or after too many wrong ones. */
  async use(gamerId: GamerId, code: string, at: 'login' | 'step-up'): Promise<Proof> {
    await this.limits.countProof(at, gamerId);
    const typed = code.replace(/\s/g, '');
    const isOfAuthenticator = TOTP_CODE.test(typed);
    const isRight = isOfAuthenticator
      ? await this.useTotp(gamerId, typed)
      : await this.store.useRecoveryCode(gamerId, digestOf(typed));
    if (!isRight) throw new Refused('wrong-code');
    await this.limits.forgiveProofs(at, gamerId);
    return isOfAuthenticator ? 'authenticator' : 'recovery code';
  }

  private async useTotp(gamerId: GamerId, code: string): Promise<boolean> {
    const [account, encrypted] = [await this.accounts.findById(gamerId), await this.store.secretOf(gamerId)];
    if (!account || account.secondFactor === null) return false;
    if (!encrypted || markOf(encrypted) !== account.secondFactor) {
      // Deleted, or an earlier one put back, past the application: the factor stays required.
      this.logger.error(`the second factor of ${gamerId} is not the one that was enrolled`);
      return false;
    }
    let secret: Buffer;
    try {
      secret = this.decrypted(gamerId, encrypted);
    } catch {
      // A recovery code still lets the staff member in, to enrol again.
      this.logger.error(`the second factor of ${gamerId} cannot be decrypted: was SECOND_FACTOR_SECRET changed?`);
      return false;
    }
    const step = stepOfCode(secret, code, this.clock.now());
    return step !== null && (await this.store.useStep(gamerId, step));
  }

  private encrypted(gamerId: GamerId, secret: Buffer): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.key, nonce).setAAD(Buffer.from(gamerId));
    return Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
  }

  /** Throws when the secret was encrypted under another SECOND_FACTOR_SECRET, or for another gamer. */
  private decrypted(gamerId: GamerId, encrypted: Buffer): Buffer {
    const decipher = createDecipheriv(CIPHER, this.key, encrypted.subarray(0, NONCE_BYTES))
      .setAAD(Buffer.from(gamerId))
      .setAuthTag(encrypted.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(encrypted.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  }
}

/** Names an encrypted secret in the account, whose seal then says which secret is in force. */
const markOf = (encrypted: Buffer): string => createHash('sha256').update(encrypted).digest('hex');

/** The stored form of a recovery code, however its letters were typed. A fast digest suffices: it has 118 random bits. */
const digestOf = (code: string): Buffer =>
  createHash('sha256')
    .update(code.toUpperCase().replace(/[^0-9A-Z]/g, ''))
    .digest();
