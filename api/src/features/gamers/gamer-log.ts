import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { GamerEvent, GamerEvents } from '../../../../contracts/events/gamer-events.js';
import type { Recorded } from '../../../../contracts/events/recorded.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { gamerStream } from '../../../../contracts/streams.js';
import { EventLog } from '../../../../event-log/event-log.js';
import { type StreamCommand, StreamCommands } from '../../ledger/stream-commands.js';
import type { Account } from './accounts.store.js';

const PARALLEL_READS = 50;

@Injectable()
export class GamerLog {
  constructor(
    private readonly log: EventLog,
    private readonly streams: StreamCommands,
  ) {}

  async recordRegistration({ gamerId, gamerTag, email, refCode, sponsorId, role }: Account): Promise<void> {
    const data = { gamerId, gamerTag, email, refCode, sponsorId, role };
    await this.streams.execute({
      ...identityStream(gamerId),
      decide: (identity) => ({ events: identity === null ? [{ type: 'GamerRegistered', data }] : [] }),
      metadata: { actor: { id: gamerId, role }, commandId: `register-${gamerId}` },
      content: null,
    });
  }

  /** Records that an admin logged in. Called before the session begins, so that no session is unrecorded. */
  async recordAdminLogin(gamerId: GamerId): Promise<void> {
    // A command id of its own: the same login sent twice begins two sessions.
    await this.streams.execute({
      ...onGamer(gamerId, () => ({ events: [{ type: 'AdminLoggedIn', data: { gamerId } }] })),
      metadata: { actor: { id: gamerId, role: 'admin' }, commandId: randomUUID() },
      content: null,
      isRecord: true,
    });
  }

  /** Tag, email and role by the log; null for a gamer without a stream. */
  async identityOf(gamerId: GamerId): Promise<GamerIdentity | null> {
    const { stream, initial, evolve } = identityStream(gamerId);
    let identity = initial;
    for await (const recorded of this.log.readStream(stream))
      identity = evolve(identity, recorded as Recorded<GamerEvent>);
    return identity;
  }

  /** Every gamer in the log with their current data, in the order of registration, without erased gamers. */
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
}

export type RegisteredGamer = GamerEvents['GamerRegistered'] & { registeredAt: Date };

export type GamerIdentity = Pick<RegisteredGamer, 'gamerTag' | 'email' | 'role'>;
type IdentityCommand = StreamCommand<GamerIdentity | null, GamerEvent>;

/** Evolves the identity by a gamer’s stream; null before the registration. */
const identityStream = (gamerId: GamerId): Pick<IdentityCommand, 'stream' | 'initial' | 'evolve'> => ({
  stream: gamerStream(gamerId),
  initial: null,
  evolve: (identity, { event }) => {
    if (event.type !== 'GamerRegistered') return identity && evolveIdentity(identity, event);
    const { gamerTag, email, role } = event.data;
    return { gamerTag, email, role };
  },
});

/** The part of a stream command that every change of a gamer's identity shares. Refuses an unregistered gamer. */
export const onGamer = (
  gamerId: GamerId,
  decide: (identity: GamerIdentity) => ReturnType<IdentityCommand['decide']>,
): Pick<IdentityCommand, 'stream' | 'initial' | 'evolve' | 'decide'> => ({
  ...identityStream(gamerId),
  decide: (identity) => (identity === null ? { refusal: { code: 'gamer-not-found' } } : decide(identity)),
});

function evolveIdentity<Identity extends GamerIdentity>(identity: Identity, { type, data }: GamerEvent): Identity {
  if (type === 'GamerRenamed') return { ...identity, gamerTag: data.gamerTag };
  if (type === 'EmailChanged') return { ...identity, email: data.email };
  if (type === 'RoleChanged') return { ...identity, role: data.role };
  return identity;
}
