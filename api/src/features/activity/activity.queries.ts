import { Injectable } from '@nestjs/common';
import { EntityManager, Raw } from 'typeorm';
import type { ActivityEntry, ActivityResponse, ActivityTopic } from '../../../../contracts/http/activity.js';
import { ActivityRow } from '../../../../projections/src/views/tables.entity.js';
import { type Page, rowsOf } from '../../http/page.js';
import { PersonalTexts } from '../../platform/personal-texts/personal-texts.js';
import { describeActivity, typesAbout } from '../audit/descriptions/event-descriptions.js';
import { GamerNames, type NameOf } from '../gamers/gamers.queries.js';

/** The admins' activity log, newest first, with the gamers' current names. */
@Injectable()
export class ActivityQueries {
  constructor(
    private readonly tables: EntityManager,
    private readonly names: GamerNames,
    private readonly texts: PersonalTexts,
  ) {}

  async page(page: Page, about?: ActivityTopic): Promise<ActivityResponse> {
    const ofTypes = (types: readonly string[]) => Raw((event) => `${event} ->> 'type' = ANY (:types)`, { types });
    const [rows, total] = await this.tables.findAndCount(ActivityRow, {
      where: about ? { event: ofTypes(typesAbout(about)) } : {},
      order: { position: 'DESC', id: 'ASC' },
      ...rowsOf(page),
    });
    const nameOf = await this.names.of(rows.flatMap(({ actorId, gamerId }) => [actorId, gamerId ?? actorId]));
    return { activity: (await this.texts.decrypt(rows)).map((row) => entryOf(row, nameOf)), total };
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
    summary: describeActivity({ event, before, gamerTag }),
    reason,
  };
}
