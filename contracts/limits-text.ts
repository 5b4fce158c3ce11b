import { LIMIT_KINDS, LIMIT_PERIODS, type PlayLimits } from './limits.js';
import { formatCents } from './money.js';
import { LIMIT_NAMES } from './refusals.js';

/** "spending $5.00 a day; loss $20.00 a month", or "none". */
export function limitsText(limits: PlayLimits): string {
  const texts = LIMIT_KINDS.flatMap((kind) =>
    LIMIT_PERIODS.flatMap((period) => {
      const cents = limits[kind][period];
      return cents === null ? [] : [`${LIMIT_NAMES[kind]} ${formatCents(cents)} a ${period}`];
    }),
  );
  return texts.length === 0 ? 'none' : texts.join('; ');
}
