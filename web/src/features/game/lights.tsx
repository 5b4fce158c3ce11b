import { type CSSProperties, useRef } from 'react';
import type { GamerId } from '../../../../contracts/ids.js';
import { addedText, clockText, counted } from '../../shared/format.js';
import { range } from '../../shared/range.js';
import { useWidth } from '../../shared/ui/use-width.js';
import { type Cue, type Footlights, footlightsText, LAMPS_SHOWN, layFootlights } from './footlights.js';
import type { Mood } from './stage-view.js';

export interface LightsProps {
  mood: Mood;
  footlights: Footlights;
  secondsPerLamp: number;
  openingSeconds: number;
  myId: GamerId | null;
  isLost: boolean;
}

const isLit = ({ mood }: LightsProps): boolean => mood === 'live' || mood === 'last';

export function Lamps(props: LightsProps) {
  return isLit(props) ? <LitLamps {...props} /> : <UnlitLamps {...props} />;
}

/** The owners' names below the lamps. Screen readers hear them from the row itself. */
export function LampTags(props: LightsProps) {
  const { cues } = props.footlights;
  return (
    <div className="tags" aria-hidden="true">
      {!isLit(props) && <OpeningTag {...props} />}
      {isLit(props) && cues.length === 0 && <span style={widthOf(1)}>&nbsp;</span>}
      {isLit(props) && cues.map((cue, place) => <Tag key={cue.key} {...props} cue={cue} isFirst={place === 0} />)}
    </div>
  );
}

export function useFootlights(input: Omit<Parameters<typeof layFootlights>[0], 'rowWidthPx'>) {
  const ref = useRef<HTMLElement>(null);
  const rowWidthPx = useWidth(ref, 328) - 32;
  return { ref, footlights: layFootlights({ ...input, rowWidthPx }) };
}

const widthOf = (lamps: number) => ({ '--k': lamps }) as CSSProperties;

function LitLamps({ footlights, secondsPerLamp, myId, isLost }: LightsProps) {
  const { cues, merged, firstLampLeft } = footlights;
  const text = footlightsText(footlights, secondsPerLamp, myId);
  return (
    <div
      className={`lights ${merged ? 'lights--merged' : ''}`}
      role="img"
      aria-label={isLost ? `Last known: ${text}` : text}
    >
      {cues.length === 0 && (
        <span className="cue" style={widthOf(1)}>
          <i className="lamp lamp--out" />
        </span>
      )}
      {cues.map((cue, place) => (
        <span key={cue.key} className="cue" style={widthOf(cue.width)}>
          {/* Lamps go out from the front, so each is numbered from the back to keep its key. */}
          {range(1, merged ? 1 : cue.lamps)
            .reverse()
            .map((lamp, fromFront) => {
              const isBurning = place === 0 && fromFront === 0 && firstLampLeft < 1 && !merged;
              return (
                <i
                  key={lamp}
                  className={lampClass(cue, isBurning)}
                  style={isBurning ? ({ '--left': firstLampLeft.toFixed(2) } as CSSProperties) : undefined}
                />
              );
            })}
        </span>
      ))}
    </div>
  );
}

const lampClass = (cue: Cue, isBurning: boolean): string =>
  `lamp ${isBurning ? 'lamp--burn' : ''} ${cue.isLast ? 'lamp--last lamp--new' : ''}`;

function Tag({ cue, isFirst, footlights, myId, isLost }: LightsProps & { cue: Cue; isFirst: boolean }) {
  const isYou = cue.owner === 'buyer' && cue.buyerId === myId;
  return (
    <span
      style={widthOf(cue.width)}
      className={`${cue.isLast ? 'is-last' : ''} ${isYou ? 'is-you' : ''} ${cue.tag === 'spill' ? 'is-spilling' : ''}`}
    >
      {cue.tag !== 'none' ? (
        <>
          <span>
            <b>{isYou ? 'You' : tagName(cue)}</b>
          </span>
          <span>{tagDetail(cue, footlights, isFirst, isLost)}</span>
        </>
      ) : (
        <span>&nbsp;</span>
      )}
    </span>
  );
}

function tagName({ owner, buyerGamerTag, lamps, tag }: Cue): string {
  if (owner === 'buyer') return buyerGamerTag ?? '';
  if (owner !== 'opening') return owner;
  if (tag === 'short') return 'Open';
  return lamps === 1 ? 'Opening' : 'Opening time';
}

function tagDetail(cue: Cue, { cues, merged }: Footlights, isFirst: boolean, isLost: boolean): string {
  const isOnly = cues.length === 1;
  if (cue.isLast && isLost) return cue.tag === 'full' || isOnly ? 'last known' : 'last';
  if (cue.isLast && (cue.tag !== 'full' || isOnly) && !merged) return 'last';
  const amount = merged ? `×${cue.lamps}` : addedText(cue.seconds);
  if (cue.isLast) return `${amount}, last`;
  return isFirst ? 'now' : amount;
}

/** Before and after a round: the lamps of the coming round's opening time, unlit, or warming up in pregame. */
function UnlitLamps({ mood, openingSeconds, secondsPerLamp }: LightsProps) {
  const lamps = Math.ceil(openingSeconds / secondsPerLamp);
  const shown = Math.min(lamps, LAMPS_SHOWN);
  const text = mood === 'pregame' ? `${counted(lamps, 'lamp')}, warming up.` : `${counted(lamps, 'lamp')}, unlit.`;
  return (
    <div className="lights" role="img" aria-label={isKnown(mood) ? text : 'The lamps are not known yet.'}>
      <span className="cue" style={widthOf(shown)}>
        {range(1, shown).map((lamp) => (
          <i key={lamp} className={mood === 'pregame' ? 'lamp lamp--warm' : 'lamp lamp--out'} />
        ))}
      </span>
    </div>
  );
}

function OpeningTag({ mood, openingSeconds, secondsPerLamp }: LightsProps) {
  const lamps = Math.ceil(openingSeconds / secondsPerLamp);
  return (
    <span style={widthOf(Math.min(lamps, LAMPS_SHOWN))}>
      <span>{isKnown(mood) ? <b>Opening time</b> : '\u00a0'}</span>
      <span>{isKnown(mood) ? `${counted(lamps, 'lamp')}, ${shortClock(openingSeconds)}` : '\u00a0'}</span>
    </span>
  );
}

const isKnown = (mood: Mood): boolean => mood !== 'loading' && mood !== 'unknown';

/** 2:00, without the leading zero. */
const shortClock = (seconds: number): string => clockText(seconds).replace(/^0/, '');
