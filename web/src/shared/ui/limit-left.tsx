import { Link } from '@tanstack/react-router';
import type { LimitKind } from '../../../../contracts/limits.js';
import { limitText, refusalText } from '../../../../contracts/refusals.js';
import { useProtection } from '../protection.queries.js';
import { Notice } from './notice.js';

/**
 * The limit of these kinds that leaves the least, the gamer's or the operator's, before the gamer presses; a warning when
 * the amount is beyond it, or when the gamer must choose a limit first.
 */
export function LimitLeft({ kinds, cents }: { kinds: readonly LimitKind[]; cents: number }) {
  const { data } = useProtection();
  if (data?.mustChooseLimits) {
    const text = (
      <>
        {refusalText({ code: 'limits-required' })}:{' '}
        <Link className="linkish" to="/protection">
          My Limits
        </Link>
        .
      </>
    );
    return <Notice tone="bad" title="Choose a limit first" text={text} />;
  }
  const strictest = data?.left.find(({ kind }) => kinds.includes(kind));
  if (strictest === undefined) return null;
  if (cents > strictest.leftCents) {
    const whose = strictest.setBy === 'gamer' ? 'your' : 'the operator’s';
    return <Notice tone="bad" title={`Beyond ${whose} limit`} text={limitText(strictest)} />;
  }
  return <p className="t14 dim">{limitText(strictest)}</p>;
}
