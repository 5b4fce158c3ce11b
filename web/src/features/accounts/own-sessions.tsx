import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { OwnSession } from '../../../../contracts/http/accounts.js';
import type { MessageResponse } from '../../../../contracts/http/gamers.js';
import { reasonOf, send } from '../../shared/api/api-client.js';
import { useApi } from '../../shared/api/use-api.js';
import { dateTimeText } from '../../shared/format.js';
import { Button } from '../../shared/ui/controls.js';
import { QueryResult } from '../../shared/ui/query-result.js';
import { toast, toastProblem } from '../../shared/ui/toasts.js';
import './accounts.css';

export const ownSessionsKey = ['/api', 'account', 'sessions'] as const;

/** The devices on which the gamer is logged in, each with a way to end its session. */
export function OwnSessions() {
  const query = useApi<OwnSession[]>(ownSessionsKey);
  return (
    <QueryResult query={query} what="sessions">
      {(sessions) => (
        <ul className="rows">
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      )}
    </QueryResult>
  );
}

function SessionRow({ session: { id, device: name, begunAt, isCurrent } }: { session: OwnSession }) {
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => send<MessageResponse>('DELETE', `/api/account/sessions/${id}`),
    onSuccess: () => toast({ title: 'Session Ended', text: `${name} is logged out.` }),
    onError: (error) => toastProblem('Session not ended', reasonOf(error, 'Please try again.')),
    onSettled: () => client.invalidateQueries({ queryKey: ownSessionsKey }),
  });
  return (
    <li className="own-session">
      <div>
        <b>{name}</b>
        <p className="t14 dim">Logged in {dateTimeText(begunAt)}</p>
      </div>
      {isCurrent ? (
        <span className="chip chip--on">This device</span>
      ) : (
        <Button
          kind="line sm"
          text="End"
          aria-label={`End the session of ${name}, logged in ${dateTimeText(begunAt)}`}
          busy={isPending && 'Ending…'}
          onClick={() => mutate()}
        />
      )}
    </li>
  );
}
