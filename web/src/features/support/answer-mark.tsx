import type { SupportTicket } from '../../../../contracts/http/support.js';
import { useApi } from '../../shared/api/use-api.js';
import { createStore, store, stored, useStore } from '../../shared/store.js';

export const TICKETS_KEY = ['/api', 'support', 'tickets'] as const;

const STORED_AS = 'omni.answers-seen';
const seen = createStore(stored(STORED_AS) ?? '');

/** Changes with every answer to these tickets. */
const answersIn = (tickets: readonly SupportTicket[]): string =>
  tickets
    .filter(({ adminNotes, status }) => adminNotes !== null || status === 'closed')
    .map(({ id, status, adminNotes }) => `${id} ${status} ${adminNotes?.length}`)
    .join();

export function markSeen(tickets: readonly SupportTicket[]): void {
  const answers = answersIn(tickets);
  store(STORED_AS, answers);
  seen.set(answers);
}

/** Says that support answered since this browser last showed the tickets; the menu and its link to support carry a dot. */
export function AnswerMark() {
  const { data = [] } = useApi<SupportTicket[]>(TICKETS_KEY, { refreshOn: ['support:ticket_updated'] });
  const answers = answersIn(data);
  const isNew = useStore(seen) !== answers && answers !== '';
  return (
    <span role="status" className={isNew ? 'sr answered' : 'sr'}>
      {isNew && 'Support answered your ticket'}
    </span>
  );
}
