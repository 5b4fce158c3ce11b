import type { AuditMoment, AuditRoundsResponse } from '../../../../../contracts/http/audit.js';
import { momentText } from '../../../shared/format/time-text.js';
import { fullTimeText, numberText } from '../audit-words.js';
import { MomentSlider } from './moment-slider.js';
import { roundText } from './moment-words.js';
import { StepButton } from './step-button.js';
import type { ChosenMoment } from './use-chosen-moment.js';

interface MomentPanelProps {
  rounds: AuditRoundsResponse;
  /** Of the books that are here: those of the moment before while others are on their way. */
  moment: AuditMoment | undefined;
  chosen: ChosenMoment;
}

/** Which moment the books are read at, and the ways to another one. */
export function MomentPanel({ rounds, moment, chosen }: MomentPanelProps) {
  const { shown } = chosen;
  const { lastNumber } = rounds;
  const isHere = moment?.number === shown;
  return (
    <section className="moment" aria-labelledby="audit-moment">
      <div className="moment-h">
        <div>
          <h1 className="label" id="audit-moment">
            The books as they stood at
          </h1>
          <p className={`fig num ${isHere ? 'time' : 'faint'}`}>{moment ? fullTimeText(moment.atEpochMs) : '…'}</p>
        </div>
        <p className="t14 dim num">
          New York time. Event {numberText(shown)} of {numberText(lastNumber)}
          {isHere ? `, ${roundText(moment.round, moment.atEpochMs)}` : ''}
        </p>
      </div>
      <MomentSlider
        number={shown}
        lastNumber={lastNumber}
        rounds={rounds.rounds}
        timeText={isHere ? fullTimeText(moment.atEpochMs) : null}
        onSlide={chosen.slide}
      />
      <p className="ends" aria-hidden="true">
        <span>{momentText(rounds.firstAtEpochMs)}</span>
        <span>each stroke ends a round</span>
        <span>now</span>
      </p>
      <Steps rounds={rounds} chosen={chosen} />
    </section>
  );
}

function Steps({ rounds: { rounds, lastNumber }, chosen }: Pick<MomentPanelProps, 'rounds' | 'chosen'>) {
  const { shown, isNow, choose } = chosen;
  const roundBefore = rounds.findLast(({ endedNumber }) => endedNumber < shown);
  const step = (number: number) => choose(number >= lastNumber ? null : number, 'step');
  return (
    <div className="moment-steps">
      <StepButton
        why={roundBefore === undefined ? 'No round ended before this moment' : null}
        onPress={() => roundBefore && choose(roundBefore.endedNumber)}
      >
        Round before
      </StepButton>
      <StepButton why={shown <= 1 ? 'This is the first event' : null} onPress={() => step(shown - 1)}>
        Event before
      </StepButton>
      <StepButton why={shown >= lastNumber ? 'This is the last event' : null} onPress={() => step(shown + 1)}>
        Event after
      </StepButton>
      <StepButton why={isNow ? 'This is now' : null} onPress={() => choose(null)}>
        Return to now
      </StepButton>
    </div>
  );
}
