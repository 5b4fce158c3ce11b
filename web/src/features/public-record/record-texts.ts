import type { PublicRecordEntry, TimersEntry } from '../../../../contracts/http/public-record.js';
import type { TimerSettings } from '../../../../contracts/limits.js';
import { formatCents } from '../../../../contracts/money.js';
import { counted, durationText } from '../../shared/format.js';

/** Describes an entry in a heading and a sentence. */
export function recordText(entry: PublicRecordEntry): { title: string; text: string } {
  switch (entry.kind) {
    case 'reset': {
      const { roundId, carriedCents, purchaseCount } = entry;
      if (roundId === null) return { title: 'Game set to idle', text: 'No round was open.' };
      const purchases = ` It had ${counted(purchaseCount, 'purchase')}.`;
      return {
        title: `Round ${roundId} void`,
        text: `Nobody won it.${purchases} ${formatCents(carriedCents)} went into the next round.`,
      };
    }
    case 'timers':
      return { title: 'Timers changed', text: timersText(entry) };
    case 'outage': {
      const { roundId, outageSeconds, secondsLeft } = entry;
      return {
        title: `Outage in round ${roundId}`,
        text: `No server could take a purchase for ${durationText(outageSeconds)}. The round went on with ${durationText(secondsLeft)} left.`,
      };
    }
  }
}

const NAMES: [keyof TimerSettings, string][] = [
  ['pregameDurationSeconds', 'Pregame'],
  ['liveDurationSeconds', 'Live'],
  ['downtimeDurationSeconds', 'Downtime'],
  ['tokenExtensionSeconds', 'Time per token'],
];

function timersText({ timers, timersBefore }: TimersEntry): string {
  const changes = NAMES.filter(([name]) => timersBefore?.[name] !== timers[name]).map(([name, text]) => {
    const before = timersBefore === null ? '' : ` instead of ${durationText(timersBefore[name])}`;
    return `${text}: ${durationText(timers[name])}${before}.`;
  });
  return changes.length === 0 ? 'Saved without a change.' : changes.join(' ');
}
