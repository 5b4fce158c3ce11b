import type { MessageResponse } from '../../../../contracts/http/headers.js';
import type { RealityCheckRequest } from '../../../../contracts/http/protection.js';
import { useCommand } from '../../shared/api/use-command.js';
import { durationText } from '../../shared/format.js';
import { SelectField } from '../../shared/ui/controls.js';
import { LoadFailure, Loading } from '../../shared/ui/notice.js';
import { usePlaySession, useRefreshPlaySession } from './play-session.js';

/** Minutes that a gamer may choose, as far as they are shorter than the operator's. */
const CHOICES = [5, 10, 15, 20, 30, 45];

export function RealityCheckChoice() {
  const { data, isPending, refetch } = usePlaySession();
  const refresh = useRefreshPlaySession();
  const { run, isBusy } = useCommand<RealityCheckRequest, MessageResponse>('PUT', '/api/play-session/reality-check', {
    failed: 'Your choice was not saved',
    otherwise: 'Please try again.',
    onSuccess: refresh,
  });
  if (isPending) return <Loading label="Loading your reality check" rows={2} />;
  if (data === undefined) return <LoadFailure text="Your reality check could not be loaded" onRetry={refetch} />;
  const { everyMinutes, atMostMinutes } = data.realityCheck;
  const choices = [...new Set([...CHOICES, everyMinutes, atMostMinutes])]
    .filter((minutes) => minutes <= atMostMinutes)
    .sort((one, other) => one - other);
  const choose = (chosen: string) =>
    run({ everyMinutes: Number(chosen) }, ({ message }) => ({ title: 'Done', text: message }));
  return (
    <div className="grid max-w-[20rem] gap-2">
      <SelectField
        label="Show it every"
        value={String(everyMinutes)}
        options={choices.map((minutes) => ({ value: String(minutes), text: durationText(minutes * 60) }))}
        disabled={isBusy}
        onChange={(chosen) => void choose(chosen)}
      />
    </div>
  );
}
