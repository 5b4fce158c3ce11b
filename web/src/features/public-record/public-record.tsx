import type * as http from '../../../../contracts/http/public-record.js';
import type { TimerSettings } from '../../../../contracts/limits.js';
import { startOfNewYorkDay } from '../../../../contracts/new-york.js';
import { TIMERS } from '../../shared/board.js';
import { counted, dateTimeText, dayText, durationText, formatCents, numberText } from '../../shared/format.js';
import { Pages } from '../../shared/lists/pages.js';
import { Act } from '../../shared/ui/act.js';
import { VerifyLink } from '../../shared/ui/controls.js';
import { Table } from '../../shared/ui/table.js';

export default function PublicRecord() {
  return (
    <>
      <h1 className="h2 py-6">The public record</h1>
      <Act
        first
        title="Resets, timers, outages"
        lead="Everything that changed a round from outside its rules, from the same ledger as the rounds. Reasons are the operator’s own words."
      >
        <RecordEntries />
      </Act>
      <Act
        title="Adjustments"
        lead="What the operator added to gamers’ balances by hand, and took from them, each day in New York. The reasons are about gamers, and not public."
      >
        <AdjustedDays />
      </Act>
    </>
  );
}

const RecordEntries = () => (
  <Pages<http.PublicRecordEntry>
    path={['/api', 'public-record']}
    name="entries"
    empty="Nothing yet: every round ran by its rules."
  >
    {(entries) => (
      <ul className="rows">
        {entries.map((entry) => (
          <Entry key={entry.revision} entry={entry} />
        ))}
      </ul>
    )}
  </Pages>
);

const AdjustedDays = () => (
  <Pages<http.AdjustedDay>
    path={['/api', 'public-record', 'adjustments']}
    name="days"
    empty="No balance was ever adjusted by hand."
  >
    {(days) => (
      <Table caption="Adjustments by day, newest first" columns={['Day', 'Adjustments', 'Added', 'Taken']} right={2}>
        {days.map(({ day, adjustments, addedCents, takenCents }) => (
          <tr key={day}>
            <td className="cell-name num">{dayText(startOfNewYorkDay(day))}</td>
            <td className="cell-context num">{counted(adjustments, 'adjustment')}</td>
            <td className="cell-amount r num">{`${formatCents(addedCents)} added`}</td>
            <td className="cell-balance r num">{`${formatCents(takenCents)} taken`}</td>
          </tr>
        ))}
      </Table>
    )}
  </Pages>
);

function Entry({ entry }: { entry: http.PublicRecordEntry }) {
  const { revision, eventId, atMs } = entry;
  const { title, text } = recordText(entry);
  const reason = 'reason' in entry.event.data ? entry.event.data.reason : '';
  return (
    <li className="py-3">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <b>{title}</b>
        <span className="t14 dim num" title={dayText(atMs)}>
          {dateTimeText(atMs)}
        </span>
      </p>
      <p>{text}</p>
      {reason !== '' && (
        <p className="break-words">
          Reason: <q>{reason}</q>
        </p>
      )}
      <VerifyLink
        className="underline t14 num"
        search={{ event: `${revision + 1}`, id: eventId }}
        text={`Event ${numberText(revision + 1)} of the ledger`}
      />
    </li>
  );
}

export function recordText({ event, timersBefore, atMs, revision }: http.PublicRecordEntry) {
  switch (event.type) {
    case 'GameReset': {
      const { roundId, carriedCents, purchaseCount } = event.data;
      if (roundId === null) return { title: 'Game set to idle', text: 'No round was open.' };
      const purchases = ` It had ${counted(purchaseCount, 'purchase')}.`;
      return {
        title: `Round ${roundId} void`,
        text: `Nobody won it.${purchases} ${formatCents(carriedCents)} went into the next round.`,
      };
    }
    case 'LiveStarted':
      return { title: `Round ${event.data.roundId} forced live`, text: 'The operator started its countdown at once.' };
    case 'TimersChanged':
      return { title: 'Timers changed', text: timersText(event.data, timersBefore) };
    case 'GameScheduled': {
      const { startsAtMs, localTime, timeZone, repeat } = event.data;
      const clocks = `${repeat === 'daily' ? 'daily at ' : ''}${localTime.slice(11)} in ${timeZone}`;
      return {
        title: 'Start planned',
        text: `For ${dateTimeText(startsAtMs)}, ${clocks}, unless a game runs then.`,
      };
    }
    case 'ScheduleCancelled':
      return { title: 'Planned start cancelled', text: `It was for ${dateTimeText(event.data.startsAtMs)}.` };
    case 'HistoryLost': {
      const { lastKeptAtMs, signedSize, acceptedBy } = event.data;
      return {
        title: 'A part of the ledger was lost',
        text: `What happened between ${dateTimeText(lastKeptAtMs)} and ${dateTimeText(atMs)} is lost. Of ${numberText(signedSize)} signed events, ${numberText(revision)} are left. ${acceptedBy} accepted it.`,
      };
    }
    case 'LiveResumed': {
      const { roundId, outageSeconds, endsAtEpochMs } = event.data;
      const left = durationText(Math.ceil((endsAtEpochMs - atMs) / 1000));
      return {
        title: `Outage in round ${roundId}`,
        text: `No server could take a purchase for ${durationText(outageSeconds)}. The round went on with ${left} left.`,
      };
    }
  }
}

const timersText = (timers: TimerSettings, before: TimerSettings | null): string =>
  TIMERS.filter(([name]) => before?.[name] !== timers[name])
    .map(([name, text]) => {
      const instead = before === null ? '' : ` instead of ${durationText(before[name])}`;
      return `${text}: ${durationText(timers[name])}${instead}.`;
    })
    .join(' ');
