import type { GamerId } from '../ids.js';

/** Topics of the activity log. */
export const ACTIVITY_TOPICS = ['game', 'gamers', 'money', 'support', 'community'] as const;
export type ActivityTopic = (typeof ACTIVITY_TOPICS)[number];

/** GET /api/admin/activity?about=: the events of the admin's commands, newest first, in pages. */
export interface ActivityEntry {
  /** The event's id. */
  id: string;
  /** Epoch milliseconds. */
  at: number;
  actorId: GamerId;
  actorGamerTag: string;
  /** The event's type, e.g. BalanceAdjusted. */
  type: string;
  /** The id of the gamer, deposit, withdrawal, ticket, post or round; null without one. */
  subjectId: string | null;
  subjectGamerTag: string | null;
  /** A sentence with the values before and after. */
  summary: string;
  reason: string | null;
}

export interface ActivityResponse {
  activity: ActivityEntry[];
  total: number;
}
