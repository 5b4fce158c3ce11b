import type { MessageResponse } from '../../../../contracts/http/gamers.js';
import type { RealityCheckRequest } from '../../../../contracts/http/protection.js';
import { reasonOf } from '../../shared/api/api-client.js';
import { useCommand } from '../../shared/api/use-command.js';
import { durationText } from '../../shared/format.js';
import { SelectField } from '../../shared/ui/controls.js';
import { LoadFailure, Loading } from '../../shared/ui/notice.js';
import { toast, toastProblem } from '../../shared/ui/toasts.js';
import { usePlaySession, useRefreshPlaySession } from './play-session.js';

/** Minutes that a gamer may choose, as far as they are shorter than the operator's. */
const CHOICES = [5, 10, 15, 20, 30, 45];

/** The time between two reality checks: the operator's, or a shorter one. */
export function RealityCheckChoice() {
  const { data, isPending, refetch } = usePlaySession();
  const refresh = useRefreshPlaySession();
  const { mutateAsync, isPending: isSaving } = useCommand<MessageResponse, RealityCheckRequest>(
    'PUT',
    '/api/play-session/reality-check',
    { onSuccess: refresh },
  );
  if (isPending) return <Loading label="Loading your reality check" rows={2} />;
  if (data === undefined) return <LoadFailure text="Your reality check could not be loaded" onRetry={refetch} />;
  const { everyMinutes, atMostMinutes } = data.realityCheck;
  const choices = [...new Set([...CHOICES, everyMinutes, atMostMinutes])]
    .filter((minutes) => minutes <= atMostMinutes)
    .sort((one, other) => one - other);
  const choose = async (chosen: string) => {
    try {
      toast({ title: 'Done', text: (await mutateAsync({ everyMinutes: Number(chosen) })).message });
    } catch (error) {
      toastProblem('Your choice was not saved', reasonOf(error, 'Please try again.'));
    }
  };
  return (
    <div className="grid max-w-[20rem] gap-2">
      <SelectField
        label="Show it every"
        value={String(everyMinutes)}
        options={choices.map((minutes) => ({ value: String(minutes), text: durationText(minutes * 60) }))}
        disabled={isSaving}
        onChange={(chosen) => void choose(chosen)}
      />
    </div>
  );
}
