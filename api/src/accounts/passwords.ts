import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { hash, hashRaw, type Options, verify } from '@node-rs/argon2';
import type { CommandId } from '../../../contracts/ids.js';
import { Config } from '../config.js';
import { Unavailable } from '../http/refused.js';
import { randomPassword } from './random-text.js';

/** `Algorithm.Argon2id`, which as an ambient const enum cannot be named here. */
const ARGON2ID = 2;
/** OWASP's minimum for argon2id. */
const ARGON2: Options = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const SALT_BYTES = 16;
/** A hash keeps a core and 19 MiB for some 12 ms: a rush of logins must leave both to the game. */
const MAX_AT_ONCE = 2;
/** Beyond these, whoever asks would wait for the better part of a second. */
const MAX_WAITING = 100;

/** Hashes and checks passwords, a few at a time. Throws Unavailable when too many wait. */
@Injectable()
export class Passwords {
  private running = 0;
  private readonly waiting: (() => void)[] = [];
  /** Made while nobody waits yet, so it cannot be refused. */
  private readonly dummy = this.hash(randomPassword());

  constructor(private readonly config: Config) {}

  /**
   * What tells two passwords of one command apart. The log keeps it for ever, hashed once more, so it is as slow to guess
   * from as the hash at the door, and says nothing to whoever has not the secret too.
   */
  async fingerprint(password: string, commandId: CommandId): Promise<string> {
    const salt = createHash('sha256').update(commandId).digest().subarray(0, SALT_BYTES);
    const secret = Buffer.from(this.config.sessionSecret, 'utf8');
    const raw = await this.inTurn(() => hashRaw(normalized(password), { ...ARGON2, salt, secret }));
    return raw.toString('base64url');
  }

  hash(password: string): Promise<string> {
    return this.inTurn(() => hash(normalized(password), ARGON2));
  }

  /** Without a hash it does the same work for nothing, so that the time taken does not tell which accounts exist. */
  async matches(password: string, passwordHash: string | null): Promise<boolean> {
    const dummy = await this.dummy;
    const isMatch = await this.inTurn(() => verify(passwordHash ?? dummy, normalized(password)));
    return isMatch && passwordHash !== null;
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.running < MAX_AT_ONCE) this.running += 1;
    else {
      if (this.waiting.length >= MAX_WAITING) throw new Unavailable('too many passwords wait to be checked');
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      // The place is handed over, not freed: nobody who comes now may take it first.
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }
}

/** The same letters typed on different keyboards are the same password (NIST SP 800-63B). */
const normalized = (password: string): string => password.normalize('NFKC');
