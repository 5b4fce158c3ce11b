import { createHash, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { GamerEvent } from '../../../contracts/events/gamer-events.js';
import type { Recorded } from '../../../contracts/events/recorded.js';
import type { CommandId, GamerId } from '../../../contracts/ids.js';
import { gamerStream } from '../../../contracts/streams.js';
import { EventLog } from '../../../event-log/event-log.js';
import { UnknownOutcome, WrongExpectedRevision } from '../../../event-log/event-log.types.js';
import { Unavailable } from '../http/refused.js';
import type { Account } from './account.entity.js';

const SCHEMA = 1;
const MAX_TRIES = 5;
const ASKED_AT_ONCE = 50;

/** The streams `gamer-{id}`: who a gamer is. */
@Injectable()
export class GamerLog {
  constructor(private readonly log: EventLog) {}

  /** Records a registration, once however often it is asked for. */
  async recordRegistration(account: Account): Promise<void> {
    const { gamerId, gamerTag, email, refCode, sponsorId, role } = account;
    const stream = gamerStream(gamerId);
    const registered = {
      // The same gamer's registration is the same event, so that a repeat after a crash is known for one.
      id: uuidOf(`GamerRegistered ${gamerId}`),
      event: { type: 'GamerRegistered' as const, data: { gamerId, gamerTag, email, refCode, sponsorId, role } },
      metadata: {
        commandId: `register-${gamerId}`,
        actor: { id: gamerId, role },
        at: account.createdAt.getTime(),
        schema: SCHEMA,
      },
    };
    try {
      await this.log.append(stream, [registered], -1);
    } catch (error) {
      // A stream begins with its gamer's registration: one that exists has it.
      if (error instanceof WrongExpectedRevision) return;
      if (error instanceof UnknownOutcome && (await this.log.headRevision(stream)) >= 0) return;
      throw error;
    }
  }

  /** An admin signs in: recorded before the session begins, or there is no session. */
  async recordAdminSignIn(gamerId: GamerId, commandId: CommandId, nowMs: number): Promise<void> {
    const stream = gamerStream(gamerId);
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      const last = await this.lastOf(stream);
      const signedIn = {
        id: randomUUID(),
        event: { type: 'AdminSignedIn' as const, data: { gamerId } },
        metadata: {
          commandId,
          actor: { id: gamerId, role: 'admin' as const },
          at: Math.max(nowMs, last?.metadata.at ?? 0),
          schema: SCHEMA,
        },
      };
      try {
        await this.log.append(stream, [signedIn], last?.revision ?? -1);
        return;
      } catch (error) {
        // Two sign-ins at once: the other one's event came first.
        if (!(error instanceof WrongExpectedRevision)) throw error;
      }
    }
    throw new Unavailable(`${stream} is written to by too many at once`);
  }

  /** Every gamer in the log, as they are now, in the order they registered. Those who were erased are not. */
  async readGamers(): Promise<RegisteredGamer[]> {
    const gamers = new Map<GamerId, RegisteredGamer>();
    await new Promise<void>((resolve, reject) => {
      const following = this.log.follow({
        after: null,
        prefixes: [gamerStream('')],
        onEvent: (recorded) => evolveGamer(gamers, recorded),
        onCaughtUp: () => {
          resolve();
          // Not awaited: it is this very callback that stopping waits for.
          void following.stop();
        },
        onFailure: reject,
      });
    });
    return this.withoutErased([...gamers.values()]);
  }

  /** The whole log may still hold the events of a deleted stream; the stream itself is what tells. */
  private async withoutErased(gamers: RegisteredGamer[]): Promise<RegisteredGamer[]> {
    const there: RegisteredGamer[] = [];
    for (let from = 0; from < gamers.length; from += ASKED_AT_ONCE) {
      const some = gamers.slice(from, from + ASKED_AT_ONCE);
      const heads = await Promise.all(some.map(({ gamerId }) => this.log.headRevision(gamerStream(gamerId))));
      there.push(...some.filter((_, index) => (heads[index] as number) >= 0));
    }
    return there;
  }

  private async lastOf(stream: string): Promise<Recorded | undefined> {
    for await (const recorded of this.log.readStream(stream, { backwards: true, maxCount: 1 })) return recorded;
    return undefined;
  }
}

export type RegisteredGamer = Extract<GamerEvent, { type: 'GamerRegistered' }>['data'] & { registeredAt: Date };

function evolveGamer(gamers: Map<GamerId, RegisteredGamer>, { event, metadata }: Recorded): void {
  if (event.type === 'GamerRegistered') {
    gamers.set(event.data.gamerId, { ...event.data, registeredAt: new Date(metadata.at) });
    return;
  }
  if (event.type !== 'GamerRenamed' && event.type !== 'EmailChanged' && event.type !== 'RoleChanged') return;
  const gamer = gamers.get(event.data.gamerId);
  // Of an erased gamer: scavenging takes the older events of a deleted stream first, and the newest chunk's not at all.
  if (!gamer) return;
  if (event.type === 'GamerRenamed') gamer.gamerTag = event.data.gamerTag;
  if (event.type === 'EmailChanged') gamer.email = event.data.email;
  if (event.type === 'RoleChanged') gamer.role = event.data.role;
}

/** A UUID (version 8, made from a digest) that is always the same for the same name. */
function uuidOf(name: string): string {
  const bytes = createHash('sha256').update(name).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
