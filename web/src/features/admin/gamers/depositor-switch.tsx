import type { AdminGamerRow } from '../../../../../contracts/http/admin.js';
import { reasonOf } from '../../../shared/api/api-error.js';
import { useServerNow } from '../../../shared/clock/use-server-now.js';
import { dayText } from '../../../shared/format/time-text.js';
import { toast } from '../../../shared/ui/toasts.js';
import { useSetDepositorStatus } from './gamers.queries.js';

/** Takes effect at once: 30 days from now, or off. */
export function DepositorSwitch({ gamer }: { gamer: AdminGamerRow }) {
  const { run, isBusy } = useSetDepositorStatus(gamer.id);
  const now = useServerNow(60_000);
  const until = gamer.depositorExpiresAt;
  const isActive = gamer.isDepositor && until !== null && now <= until;
  const toggle = async () => {
    try {
      const { isDepositor, expiresAt } = await run({ isDepositor: !isActive });
      const text =
        isDepositor && expiresAt !== null ? `A depositor until ${dayText(expiresAt)}.` : 'Not a depositor any more.';
      toast({ title: 'Depositor Status Updated', text: `${gamer.gamerTag}: ${text}` });
    } catch (error) {
      toast({ title: 'Update Failed', text: reasonOf(error, 'Failed to update depositor status'), tone: 'bad' });
    }
  };
  return (
    <label className="switch">
      <input
        type="checkbox"
        role="switch"
        aria-checked={isActive}
        checked={isActive}
        disabled={isBusy}
        onChange={() => void toggle()}
      />
      <span>
        Depositor{' '}
        <span className="dim t14">
          {isActive && until !== null ? `until ${dayText(until)}` : 'switching on gives 30 days'}
        </span>
      </span>
    </label>
  );
}
