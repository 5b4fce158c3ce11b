import type { SetLimitsRequest } from '../../../../contracts/http/protection.js';
import {
  LIMIT_KINDS,
  LIMIT_PERIODS,
  type LimitKind,
  type LimitPeriod,
  MAX_LIMIT_CENTS,
  type PlayLimits,
} from '../../../../contracts/limits.js';
import { refusalText } from '../../../../contracts/refusals.js';
import { centsFromInput, inputFromCents } from '../../shared/format.js';

type LimitField = keyof SetLimitsRequest;
type LimitTexts = Record<LimitField, string>;

const CAPITALS = { day: 'Day', week: 'Week', month: 'Month' } as const;

export const fieldOf = (kind: LimitKind, period: LimitPeriod): LimitField => `${kind}${CAPITALS[period]}`;

/** The texts of the form's fields; an empty one is no limit. */
export const textsOf = (limits: PlayLimits): LimitTexts =>
  Object.fromEntries(
    LIMIT_KINDS.flatMap((kind) =>
      LIMIT_PERIODS.map((period) => {
        const cents = limits[kind][period];
        return [fieldOf(kind, period), cents === null ? '' : inputFromCents(cents)];
      }),
    ),
  ) as LimitTexts;

/** The request for the typed limits in dollars, or what is wrong with which field. */
export function orderOfLimits(texts: LimitTexts): { request: SetLimitsRequest } | { problems: Partial<LimitTexts> } {
  const request: SetLimitsRequest = {};
  const problems: Partial<LimitTexts> = {};
  for (const [field, text] of Object.entries(texts) as [LimitField, string][]) {
    const cents = text.trim() === '' ? null : centsFromInput(text);
    const isWrong = text.trim() !== '' && (cents === null || cents < 0 || cents > MAX_LIMIT_CENTS);
    if (isWrong) problems[field] = refusalText({ code: 'invalid-limits' });
    else request[field] = cents;
  }
  return Object.keys(problems).length === 0 ? { request } : { problems };
}
