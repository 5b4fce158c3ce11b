import { createHash, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { GamerEvent, GamerEvents } from '../../../../contracts/events/gamer-events.js';
import type { Recorded } from '../../../../contracts/events/recorded.js';
import type { CommandId, GamerId } from '../../../../contracts/ids.js';
import type { Refusal } from '../../../../contracts/refusals.js';
import { gamerStream } from '../../../../contracts/streams.js';
import { EventLog } from '../../../../event-log/event-log.js';
import { UnknownOutcome, WrongExpectedRevision } from '../../../../event-log/event-log.types.js';
import type { StreamCommand } from '../../ledger/stream-commands.js';
import { Unavailable } from '../../platform/failures.js';
import type { Account } from './accounts.store.js';

const SCHEMA = 1;
const MAX_TRIES = 5;
const PARALLEL_READS = 50;

/** Registrations and sign-ins in the streams `gamer-{id}`. */
@Injectable()
export class GamerLog {
  constructor(private readonly log: EventLog) {}

  /** Records a registration. Idempotent. */
  async recordRegistration(account: Account): Promise<void> {
    const { gamerId, gamerTag, email, refCode, sponsorId, role } = account;
    const stream = gamerStream(gamerId);
    const registered = {
      // Always the same id for the same gamer, so that the log recognizes a repeated append.
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
      // The stream exists, and every gamer's stream begins with the registration.
      if (error instanceof WrongExpectedRevision) return;
      if (error instanceof UnknownOutcome && (await this.log.headRevision(stream)) >= 0) return;
      throw error;
    }
  }

  /** Records that an admin signed in. Called before the session begins, so that no session is unrecorded. */
  async recordAdminSignIn(gamerId: GamerId, commandId: CommandId, nowMs: number): Promise<void> {
    const stream = gamerStream(gamerId);
    const event = { type: 'AdminSignedIn', data: { gamerId } } as const;
    const actor = { id: gamerId, role: 'admin' } as const;
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      const { revision, atMs } = await this.endOf(stream);
      const metadata = { commandId, actor, at: Math.max(nowMs, atMs), schema: SCHEMA };
      try {
        await this.log.append(stream, [{ id: randomUUID(), event, metadata }], revision);
        return;
      } catch (error) {
        // A parallel sign-in appended first.
        if (!(error instanceof WrongExpectedRevision)) throw error;
      }
    }
    throw new Unavailable(`${stream} has too many concurrent writers`);
  }

  /** Tag, email and role by the log; null for a gamer without a stream. */
  async identityOf(gamerId: GamerId): Promise<GamerIdentity> {
    const { initial, evolve } = onGamer(gamerId, () => ({ events: [] }));
    let identity = initial;
    for await (const recorded of this.log.readStream(gamerStream(gamerId))) {
      identity = evolve(identity, recorded as Recorded<GamerEvent>);
    }
    return identity;
  }

  /** Every gamer in the log with their present data, in the order of registration, without erased gamers. */
  async readGamers(): Promise<RegisteredGamer[]> {
    const gamers = new Map<GamerId, RegisteredGamer>();
    for await (const recorded of this.log.readAll([gamerStream('')])) {
      const event = recorded.event as GamerEvent;
      const { gamerId } = event.data;
      const isFirst = event.type === 'GamerRegistered';
      const gamer = isFirst ? { ...event.data, registeredAt: new Date(recorded.metadata.at) } : gamers.get(gamerId);
      // An event without a registration before it is an erased gamer's: scavenging removes the oldest events first.
      if (gamer) gamers.set(gamerId, evolveIdentity(gamer, event));
    }
    return this.withoutErased([...gamers.values()]);
  }

  /** Until it is scavenged, the whole log may still hold events of a deleted stream; only the stream itself is certain. */
  private async withoutErased(gamers: RegisteredGamer[]): Promise<RegisteredGamer[]> {
    const existing: RegisteredGamer[] = [];
    for (let from = 0; from < gamers.length; from += PARALLEL_READS) {
      const some = gamers.slice(from, from + PARALLEL_READS);
      const heads = await Promise.all(some.map(({ gamerId }) => this.log.headRevision(gamerStream(gamerId))));
      existing.push(...some.filter((_, index) => (heads[index] as number) >= 0));
    }
    return existing;
  }

  private async endOf(stream: string): Promise<{ revision: number; atMs: number }> {
    const end = { revision: -1, atMs: 0 };
    const onRevision = (revision: number) => {
      end.revision = revision;
    };
    const last = this.log.readStream(stream, { backwards: true, maxCount: 1, onRevision });
    for await (const { metadata } of last) end.atMs = metadata.at;
    return end;
  }
}

export type RegisteredGamer = GamerEvents['GamerRegistered'] & { registeredAt: Date };

/** A gamer's identity, folded from the stream; null before the registration. */
export type GamerIdentity = Pick<RegisteredGamer, 'gamerTag' | 'email' | 'role'> | null;

/** The part of a stream command that every change of a gamer's identity shares. Refuses an unregistered gamer. */
export const onGamer = (
  gamerId: GamerId,
  decide: (identity: NonNullable<GamerIdentity>) => { events: GamerEvent[] } | { refusal: Refusal },
): Pick<StreamCommand<GamerIdentity, GamerEvent>, 'stream' | 'initial' | 'evolve' | 'decide'> => ({
  stream: gamerStream(gamerId),
  initial: null,
  evolve: (identity, { event }) => {
    if (event.type !== 'GamerRegistered') return identity && evolveIdentity(identity, event);
    const { gamerTag, email, role } = event.data;
    return { gamerTag, email, role };
  },
  decide: (identity) => (identity === null ? { refusal: { code: 'gamer-not-found' } } : decide(identity)),
});

function evolveIdentity<Identity extends NonNullable<GamerIdentity>>(identity: Identity, event: GamerEvent): Identity {
  switch (event.type) {
    case 'GamerRenamed':
      return { ...identity, gamerTag: event.data.gamerTag };
    case 'EmailChanged':
      return { ...identity, email: event.data.email };
    case 'RoleChanged':
      return { ...identity, role: event.data.role };
    default:
      return identity;
  }
}

/** A UUID (version 8) derived from a name: the same name gives the same UUID. */
function uuidOf(name: string): string {
  const bytes = createHash('sha256').update(name).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
