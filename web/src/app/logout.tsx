import { useLogout } from '../features/accounts/accounts.queries.js';
import { useSession } from '../shared/session/session.queries.js';
import { toast } from '../shared/ui/toasts.js';

export function Logout() {
  const session = useSession();
  const logout = useLogout();
  if (!session) return null;
  const leave = () => {
    logout.mutate(undefined, {
      onError: () => toast({ title: 'Logout failed', text: 'You are still logged in. Please try again.', tone: 'bad' }),
    });
  };
  return (
    <button type="button" className="btn btn--text btn--sm" disabled={logout.isPending} onClick={leave}>
      Logout
    </button>
  );
}
