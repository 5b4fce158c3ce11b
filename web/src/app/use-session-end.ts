import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useSession } from '../shared/session/session.queries.js';
import { toast } from '../shared/ui/toasts.js';

/** A session may end elsewhere, or of age: whoever's dialog closes by that is told why, and nothing of theirs is kept. */
export function useSessionEnd(): void {
  const client = useQueryClient();
  const session = useSession();
  const before = useRef<string | null>(null);
  useEffect(() => {
    if (session === undefined) return;
    if (before.current !== null && session === null) {
      toast({
        title: 'Your session has ended',
        text: 'Please log in again. Your balance and your purchases are as they were.',
        tone: 'bad',
      });
      client.removeQueries({ type: 'inactive' });
    }
    before.current = session?.id ?? null;
  }, [client, session]);
}
