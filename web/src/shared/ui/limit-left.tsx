import type { LimitKind } from '../../../../contracts/limits.js';
import { limitText } from '../../../../contracts/refusals.js';
import { useProtection } from '../protection.queries.js';
import { Notice } from './notice.js';

/** The limit of these kinds that leaves the least, before the gamer presses; a warning when the amount is beyond it. */
export function LimitLeft({ kinds, cents }: { kinds: readonly LimitKind[]; cents: number }) {
  const strictest = useProtection().data?.left.find(({ kind }) => kinds.includes(kind));
  if (strictest === undefined) return null;
  if (cents > strictest.leftCents) return <Notice tone="bad" title="Beyond your limit" text={limitText(strictest)} />;
  return <p className="t14 dim">{limitText(strictest)}</p>;
}
