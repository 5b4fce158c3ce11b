import { type CSSProperties, type ReactNode, useLayoutEffect, useReducer, useRef } from 'react';
import { shortClockText } from '../../../../contracts/durations.js';
import type { GameState } from '../../../../contracts/http/game.js';
import { useTerms, useTimers } from '../../shared/board.js';
import { secondsUntil, watchSeconds } from '../../shared/clock.js';
import { addedText, counted, numberText, range } from '../../shared/format.js';
import { useMyId } from '../../shared/session.queries.js';
import { useWidth } from '../../shared/ui/hooks.js';
import { CHARACTER_PX, type Cue, type Footlights, footlightsText, LAMPS_SHOWN, layFootlights } from './footlights.js';
import { isKnown, isLit, type Mood } from './stage-view.js';

export interface LightsProps {
  mood: Mood;
  footlights: Footlights;
  isLost: boolean;
  isDemo?: boolean;
}

export const Lamps = (props: LightsProps) =>
  isLit(props.mood) ? <LitLamps {...props} /> : <UnlitLamps mood={props.mood} />;

export function LampTags({ children, ...props }: LightsProps & { children: ReactNode }) {
  const { cues, isCrowded } = props.footlights;
  const lit = isLit(props.mood);
  return (
    <div className="tagrow">
      <div className={`tags ${lit && isCrowded ? 'tags--crowded' : ''}`} aria-hidden="true">
        {!lit && <OpeningTag mood={props.mood} />}
        {lit && cues.length === 0 && <span style={widthOf(1)}>&nbsp;</span>}
        {lit && cues.map((cue, place) => <Tag key={cue.key} {...props} cue={cue} isFirst={place === 0} />)}
      </div>
      {children}
    </div>
  );
}

/** The row's width on a phone, so that its first measurement changes nothing. */
const FIRST_WIDTH_PX = typeof window === 'undefined' ? 328 : window.innerWidth - 32;

/** Renders when a lamp lights or goes out. The first lamp drains every second without a render. */
export function useFootlights(board: GameState | null) {
  const ref = useRef<HTMLDivElement>(null);
  const [, renderAgain] = useReducer((renders: number) => renders + 1, 0);
  const rowWidthPx = useWidth(ref, FIRST_WIDTH_PX);
  const secondsPerLamp = useTerms().tokenExtensionSeconds;
  const input = { purchases: board?.purchases ?? [], secondsPerLamp, myId: useMyId() };
  const endsAtEpochMs = board?.endsAtEpochMs ?? null;
  const layAt = (seconds: number | null) => layFootlights({ ...input, rowWidthPx, secondsLeft: seconds ?? 0 });
  const footlights = layAt(secondsUntil(endsAtEpochMs));
  const shape = shapeOf(footlights);
  useLayoutEffect(() =>
    watchSeconds(endsAtEpochMs, (seconds) => {
      const now = layAt(seconds);
      if (shapeOf(now) !== shape) renderAgain();
      else ref.current?.style.setProperty('--left', now.firstLampLeft.toFixed(2));
    }),
  );
  return { ref, footlights, rowWidthPx };
}

const shapeOf = ({ cues, lamps, firstLampLeft }: Footlights): string =>
  `${lamps} ${cues.length} ${firstLampLeft < 1 ? 'burning' : 'whole'}`;

const widthOf = (width: number) => ({ '--k': width }) as CSSProperties;

function LitLamps({ footlights, isLost, isDemo = false }: LightsProps) {
  const { cues, isCrowded, firstLampLeft } = footlights;
  const { tokenExtensionSeconds } = useTerms();
  const text = `${isLost ? 'Last known: ' : ''}${footlightsText(footlights, tokenExtensionSeconds)}`;
  return (
    <div
      className={`lights ${isCrowded ? 'lights--crowded' : ''} ${isDemo ? 'lights--demo' : ''}`}
      role="img"
      aria-label={isDemo ? 'A demonstration' : text}
      style={isDemo ? ({ '--left': firstLampLeft.toFixed(2) } as CSSProperties) : undefined}
    >
      {cues.length === 0 && (
        <span className="cue" style={widthOf(1)}>
          <i className="lamp lamp--out" />
        </span>
      )}
      {cues.map((cue, place) => (
        <span key={cue.key} className={`cue ${cue.owner === 'others' ? 'cue--others' : ''}`} style={widthOf(cue.width)}>
          {/* Lamps go out from the front, so each is numbered from the back to keep its key. */}
          {range(1, cue.drawn)
            .reverse()
            .map((lamp, fromFront) => (
              <i
                key={lamp}
                className={lampClass(cue, place === 0 && fromFront === 0 && firstLampLeft < 1 && !isCrowded)}
              />
            ))}
        </span>
      ))}
    </div>
  );
}

const lampClass = (cue: Cue, isBurning: boolean): string =>
  `lamp ${isBurning ? 'lamp--burn' : ''} ${cue.isLast ? 'lamp--last lamp--new' : ''}`;

const WIDER_TAGS: Partial<Record<Cue['tag'], string>> = { spill: 'is-spilling', overhang: 'is-overhanging' };

function Tag({ cue, isFirst, footlights, isLost }: LightsProps & { cue: Cue; isFirst: boolean }) {
  const detail = tagDetail(cue, footlights, isFirst, isLost);
  return (
    <span
      style={widthOf(cue.width)}
      className={`${cue.isLast ? 'is-last' : ''} ${cue.isYou ? 'is-you' : ''} ${WIDER_TAGS[cue.tag] ?? ''}`}
    >
      {cue.tag !== 'none' ? (
        <>
          <span>
            <b>{cue.isYou ? 'You' : tagName(cue)}</b>
          </span>
          <span>{detail}</span>
        </>
      ) : (
        <span>&nbsp;</span>
      )}
    </span>
  );
}

function tagName({ owner, buyerGamerTag, lamps, tag }: Cue): string {
  if (owner === 'buyer') return buyerGamerTag ?? '';
  if (owner === 'others') return 'others';
  if (tag === 'short') return 'Open';
  return lamps === 1 ? 'Opening' : 'Opening time';
}

function tagDetail(cue: Cue, { cues, isCrowded }: Footlights, isFirst: boolean, isLost: boolean): string {
  const isOnly = cues.length === 1;
  if (cue.isLast && isLost) return cue.tag === 'full' || isOnly ? 'last known' : 'last';
  const amount = isCrowded ? `×${numberText(cue.lamps)}` : addedText(cue.seconds);
  const both = `${amount}, last`;
  if (cue.isLast) return (isOnly && !isCrowded) || both.length * CHARACTER_PX > cue.px ? 'last' : both;
  if (isFirst && !isCrowded) return 'burning';
  return amount.length * CHARACTER_PX > cue.px && !isOnly ? '' : amount;
}

function useOpening() {
  const seconds = useTimers().liveDurationSeconds;
  const lamps = Math.ceil(seconds / useTerms().tokenExtensionSeconds);
  return { seconds, lamps, shown: Math.min(lamps, LAMPS_SHOWN) };
}

function UnlitLamps({ mood }: { mood: Mood }) {
  const { lamps, shown } = useOpening();
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

function OpeningTag({ mood }: { mood: Mood }) {
  const { seconds, lamps, shown } = useOpening();
  // An idle game has no planned opening time: the admin may also go live at once, with another one.
  const isPlanned = mood === 'pregame' || mood === 'downtime';
  return (
    <span className={isPlanned ? '' : 'invisible'} style={widthOf(shown)}>
      <span>
        <b>Opening time</b>
      </span>
      <span>{`${counted(lamps, 'lamp')}, ${shortClockText(seconds)}`}</span>
    </span>
  );
}
