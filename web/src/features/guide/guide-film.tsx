import { Pause, Play, RotateCcw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { formatCents } from '../../../../contracts/money.js';
import { clockText } from '../../shared/format/clock-text.js';
import { oneTo } from '../../shared/format/one-to.js';
import { FILM_SECONDS, FILM_TOKEN_SECONDS, type FilmFrame, filmFrame } from './film.js';

const FRAME_MS = 100;

/** A round, drawn and played in the page itself: it needs no connection, and starts only when somebody presses Play. */
export function GuideFilm() {
  const [second, setSecond] = useState(0);
  const [playing, setPlaying] = useState(false);
  const isOver = second >= FILM_SECONDS;
  useEffect(() => {
    if (!playing || isOver) return;
    const timer = setInterval(() => setSecond((at) => Math.min(at + FRAME_MS / 1000, FILM_SECONDS)), FRAME_MS);
    return () => clearInterval(timer);
  }, [playing, isOver]);
  const frame = filmFrame(second);
  const Icon = isOver ? RotateCcw : playing ? Pause : Play;
  const press = () => {
    if (isOver) setSecond(0);
    setPlaying(isOver || !playing);
  };
  return (
    <figure className="film">
      <Picture frame={frame} />
      <p className="film-caption" aria-live={playing ? 'polite' : 'off'}>
        {frame.caption}
      </p>
      <div className="film-controls">
        <button type="button" className="btn btn--line btn--sm" onClick={press}>
          <Icon size={18} aria-hidden="true" />
          {isOver ? 'Play again' : playing ? 'Pause' : 'Play'}
        </button>
        <input
          type="range"
          min={0}
          max={FILM_SECONDS}
          step={0.5}
          value={second}
          aria-label="Place in the film"
          aria-valuetext={`${Math.floor(second)} of ${FILM_SECONDS} seconds. ${frame.caption}`}
          onChange={(event) => setSecond(Number(event.target.value))}
        />
        <span className="t14 dim num">
          {clockText(Math.floor(second))} / {clockText(FILM_SECONDS)}
        </span>
      </div>
    </figure>
  );
}

const statuses: Record<FilmFrame['phase'], string> = {
  pregame: 'Game Starting Soon',
  live: 'LIVE GAME NOW ACTIVE',
  won: 'WINNER!',
};

function Picture({ frame }: { frame: FilmFrame }) {
  const { phase, clockSeconds, lastBuyer, jackpotCents } = frame;
  const lamps = Math.ceil((clockSeconds ?? 0) / FILM_TOKEN_SECONDS);
  return (
    <div className={`film-stage is-${phase}`} aria-hidden="true">
      <p className="film-status">{statuses[phase]}</p>
      <p className="film-clock num">{clockSeconds === null ? '--:--' : clockText(clockSeconds)}</p>
      <p className="film-lamps">
        {lamps === 0 ? <i className="is-out" /> : oneTo(lamps).map((lamp) => <i key={lamp} />)}
      </p>
      <p className="film-feet">
        <span>
          Jackpot <b className="num">{formatCents(jackpotCents)}</b>
        </span>
        <span>
          {phase === 'won' ? 'Winner' : 'Last buyer'} <b>{lastBuyer ?? 'nobody yet'}</b>
        </span>
      </p>
    </div>
  );
}
