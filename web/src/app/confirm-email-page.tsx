import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { ConfirmEmailRequest } from '../../../contracts/http/accounts.js';
import type { MessageResponse } from '../../../contracts/http/gamers.js';
import { refusalText } from '../../../contracts/refusals.js';
import { reasonOf, send } from '../shared/api/api-client.js';
import { sessionQuery } from '../shared/session.queries.js';
import { Button } from '../shared/ui/controls.js';
import { Notice } from '../shared/ui/notice.js';
import { SimplePage } from './page-frame.js';

/** The page that a mailed link leads to, with the token in its address. A press confirms: mail filters open links, too. */
export function ConfirmEmailPage() {
  const { token = '' } = useSearch({ strict: false }) as { token?: string };
  const client = useQueryClient();
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: (body: ConfirmEmailRequest) => send<MessageResponse>('POST', '/api/account/email/confirm', body),
    onSuccess: () => client.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  });
  const failure =
    token === '' ? refusalText({ code: 'invalid-email-link' }) : error && reasonOf(error, 'Please try again.');
  return (
    <SimplePage>
      <h1 className="h2">Confirm Your Email</h1>
      {data ? (
        <Notice
          tone="plain"
          urgent
          title="Done"
          text={`${data.message}. Mails about your account come here from now on.`}
        />
      ) : (
        <>
          {failure !== null && <Notice tone="bad" title="Email not changed" text={failure} />}
          {token !== '' && (
            <>
              <p>Mails about your account will come to this mailbox.</p>
              <Button
                kind="act wide"
                text="Confirm this email"
                busy={isPending && 'Confirming…'}
                onClick={() => mutate({ token })}
              />
            </>
          )}
        </>
      )}
      <Link className="btn btn--text" to="/">
        Back to the game
      </Link>
    </SimplePage>
  );
}
