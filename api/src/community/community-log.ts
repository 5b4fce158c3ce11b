import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { CommunityEvent } from '../../../contracts/events/community-events.js';
import type { Actor, EventMetadata } from '../../../contracts/events/metadata.js';
import type { Recorded } from '../../../contracts/events/recorded.js';
import { schemaOf } from '../../../contracts/events/schemas.js';
import type { CommandId, PostId } from '../../../contracts/ids.js';
import type { Refusal } from '../../../contracts/messages.js';
import { COMMUNITY_STREAM } from '../../../contracts/streams.js';
import { commandHashOf } from '../../../domain/chain.js';
import { evolvePost, type PostState } from '../../../domain/posts.js';
import { EventLog } from '../../../event-log/event-log.js';
import { LogUnavailable, UnknownOutcome, WrongExpectedRevision } from '../../../event-log/event-log.types.js';
import { Clock } from '../http/clock.js';
import { Refused, Unavailable } from '../http/refused.js';
import { type Asked, mustBeSame } from '../streams/stream-commands.js';
import { CommunityQueries } from './community.queries.js';

export type CommunityRecorded = Recorded<CommunityEvent>;

interface PostCommand {
  postId: PostId;
  /** Events, none when nothing is to be done, or why not. */
  decide(post: PostState): { events: CommunityEvent[] } | { refusal: Refusal };
  by: { actor: Actor; commandId: CommandId };
  asked: Asked;
}

/** Only other nodes are raced with. Whoever loses waits a little, at random: two nodes in step would lose for ever. */
const MAX_TRIES = 20;
const MAX_PAUSE_MS = 20;
/** How far the table may be behind before nothing can be decided any more. */
const MAX_UNKNOWN_EVENTS = 500;
/** More than this many waiting at one node could not be answered in time. */
const MAX_WAITING = 100;

/**
 * Appends to the stream `community`, which grows for ever and is never read whole. What happened to a post is in the
 * table, or in the events after the last one that the table knows: both are looked at, so a repeated command never
 * acts twice. A node appends one command after another; against the other nodes the exact revision is the fence.
 */
@Injectable()
export class CommunityLog {
  private waiting = 0;
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly log: EventLog,
    private readonly posts: CommunityQueries,
    private readonly clock: Clock,
  ) {}

  /** Every event of the post, in order, once what was asked for is among them. Throws Refused, Unavailable. */
  async execute(command: PostCommand): Promise<CommunityRecorded[]> {
    if (this.waiting >= MAX_WAITING) throw new Unavailable('too many wait to write to the community');
    this.waiting += 1;
    const mine = this.last.then(() => this.untilDone(command));
    this.last = mine.catch(() => {});
    try {
      return await mine;
    } finally {
      this.waiting -= 1;
    }
  }

  private async untilDone(command: PostCommand): Promise<CommunityRecorded[]> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      try {
        return await this.tryOnce(command);
      } catch (error) {
        // Either way the log is looked at again, and shows whether ours is in it.
        if (error instanceof LogUnavailable) throw new Unavailable(error.message);
        if (!(error instanceof WrongExpectedRevision) && !(error instanceof UnknownOutcome)) throw error;
      }
      await sleep(Math.random() * MAX_PAUSE_MS);
    }
    throw new Unavailable(`${COMMUNITY_STREAM} could not be appended to`);
  }

  private async tryOnce({ postId, decide, by, asked }: PostCommand): Promise<CommunityRecorded[]> {
    const { head, ofPost } = await this.read(postId);
    const commandHash = commandHashOf(asked, by.actor.id);
    mustBeSame(ofPost.find(({ metadata }) => isBy(metadata, by))?.metadata, commandHash);
    const decision = decide(ofPost.map(({ event }) => event).reduce<PostState>(evolvePost, null));
    if ('refusal' in decision) throw new Refused(decision.refusal);
    const [event] = decision.events;
    if (!event) return ofPost;
    const at = Math.max(this.clock.now(), head?.metadata.at ?? 0);
    const metadata = { ...by, at, schema: schemaOf(event.type), commandHash };
    const recorded = { id: randomUUID(), event, metadata };
    const result = await this.log.append(COMMUNITY_STREAM, [recorded], head?.revision ?? -1);
    return [...ofPost, { ...recorded, stream: COMMUNITY_STREAM, ...result }];
  }

  /** The stream's last event, and those about one post in order. */
  private async read(postId: PostId): Promise<{ head: CommunityRecorded | undefined; ofPost: CommunityRecorded[] }> {
    const { post, upToRevision } = await this.posts.known(postId);
    const tail: CommunityRecorded[] = [];
    for await (const recorded of this.log.readStream(COMMUNITY_STREAM, {
      backwards: true,
      maxCount: MAX_UNKNOWN_EVENTS + 1,
    })) {
      tail.unshift(recorded as CommunityRecorded);
      if (recorded.revision <= upToRevision) break;
    }
    const first = tail[0]?.revision ?? 0;
    if (first > Math.max(upToRevision, 0)) throw new Unavailable('the read models are too far behind the community');
    const known =
      post === null ? [] : [...new Set([post.revision, post.lastRevision])].filter((known) => known < first);
    const ofTable = await Promise.all(known.map((revision) => this.at(revision)));
    return { head: tail.at(-1), ofPost: [...ofTable, ...tail].filter(({ event }) => event.data.postId === postId) };
  }

  private async at(revision: number): Promise<CommunityRecorded> {
    for await (const recorded of this.log.readStream(COMMUNITY_STREAM, { fromRevision: revision, maxCount: 1 })) {
      return recorded as CommunityRecorded;
    }
    throw new Error(`the table knows ${COMMUNITY_STREAM}@${revision}, and the log does not`);
  }
}

const isBy = ({ actor, commandId }: EventMetadata, by: PostCommand['by']): boolean =>
  actor.id === by.actor.id && commandId === by.commandId;
