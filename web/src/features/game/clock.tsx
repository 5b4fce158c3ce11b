import { clockText } from '../../shared/format/clock-text.js';

/** The digits change at once; null shows that nothing is known. */
export function Clock({ seconds }: { seconds: number | null }) {
  const text = seconds === null ? '––:––' : clockText(seconds);
  const [first, second, third] = text.split(':');
  return (
    <p
      className={`clock ${third === undefined ? '' : 'clock--long'} ${seconds === null ? 'clock--unknown' : ''}`}
      role="timer"
      aria-label={seconds === null ? 'Time remaining unknown' : `Time remaining ${text}`}
    >
      <span aria-hidden="true">
        {first}
        <i>:</i>
        {second}
        {third !== undefined && (
          <>
            <i>:</i>
            {third}
          </>
        )}
      </span>
    </p>
  );
}
