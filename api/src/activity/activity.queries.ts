import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Raw, Repository } from 'typeorm';
import type { ActivityEntry, ActivityResponse, ActivityTopic } from '../../../contracts/http/people.js';
import { ActivityRow } from '../../../projections/src/views/activity.entity.js';
import { GamerNames, type NameOf } from '../gamers/gamer-names.queries.js';
import type { Page } from '../http/page.js';
import { TYPES_ABOUT } from './activity-topics.js';
import { inWords } from './activity-words.js';

/** What admins did, newest first, by the names that gamers have now. */
@Injectable()
export class ActivityQueries {
  constructor(
    @InjectRepository(ActivityRow) private readonly activity: Repository<ActivityRow>,
    private readonly names: GamerNames,
  ) {}

  async page({ page, pageSize }: Page, about?: ActivityTopic): Promise<ActivityResponse> {
    const ofTypes = (types: readonly string[]) => Raw((event) => `${event} ->> 'type' = ANY (:types)`, { types });
    const [rows, total] = await this.activity.findAndCount({
      where: about ? { event: ofTypes(TYPES_ABOUT[about]) } : {},
      order: { position: 'DESC', id: 'ASC' },
      skip: (page - 1) * pageSize,
      take: pageSize,
    });
    const nameOf = await this.names.of(rows.flatMap(({ actorId, gamerId }) => [actorId, gamerId ?? actorId]));
    return { activity: rows.map((row) => entryOf(row, nameOf)), total };
  }
}

function entryOf(
  { id, atMs, actorId, event, before, subjectId, gamerId, reason }: ActivityRow,
  nameOf: NameOf,
): ActivityEntry {
  const gamerTag = gamerId === null ? null : nameOf(gamerId);
  return {
    id,
    at: atMs,
    actorId,
    actorGamerTag: nameOf(actorId),
    type: event.type,
    subjectId,
    subjectGamerTag: gamerTag,
    summary: inWords({ event, before, gamerTag }),
    reason,
  };
}
