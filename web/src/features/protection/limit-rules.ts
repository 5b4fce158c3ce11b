import type { ProtectionResponse } from '../../../../contracts/http/protection.js';
import {
  EVERY_LIMIT,
  isLimit,
  LIMIT_PERIODS,
  type LimitKind,
  type LimitPeriod,
  mapLimits,
  type PlayLimits,
} from '../../../../contracts/limits.js';
import { dayInNewYork, endOfPeriod } from '../../../../contracts/new-york.js';
import { type LimitInForce, refusalText } from '../../../../contracts/refusals.js';
import { centsFromInput, commaProblem, inputFromCents } from '../../shared/format.js';

type LimitTexts = Record<`${LimitKind}-${LimitPeriod}`, string>;

export function textsOf(limits: PlayLimits): LimitTexts {
  const textOf = (cents: number | null) => (cents === null ? '' : inputFromCents(cents));
  const fields = EVERY_LIMIT.map(({ kind, period }) => [`${kind}-${period}`, textOf(limits[kind][period])]);
  return Object.fromEntries(fields) as LimitTexts;
}

/** The limits as typed, in dollars, or what is wrong with which field. */
export function limitsFrom(texts: LimitTexts): { limits: PlayLimits } | { problems: Partial<LimitTexts> } {
  const problems: Partial<LimitTexts> = {};
  const limits = mapLimits((kind, period) => {
    const text = texts[`${kind}-${period}`].trim();
    if (text === '') return null;
    const cents = centsFromInput(text);
    if (cents === null || !isLimit(cents))
      problems[`${kind}-${period}`] =
        commaProblem(text) ??
        (cents !== null && cents > 0
          ? refusalText({ code: 'invalid-limits' })
          : `Please enter an amount such as 20.00, not ${text}`);
    return cents;
  });
  return Object.keys(problems).length === 0 ? { limits } : { problems };
}

/** Whether the limit is below that of a shorter period, which then never holds anybody back. */
export function isBelowShorter(texts: LimitTexts, kind: LimitKind, period: LimitPeriod): boolean {
  const centsOf = (each: LimitPeriod) => centsFromInput(texts[`${kind}-${each}`]);
  const cents = centsOf(period);
  const shorter = LIMIT_PERIODS.slice(0, LIMIT_PERIODS.indexOf(period));
  return cents !== null && shorter.some((each) => cents < (centsOf(each) ?? 0));
}

/** The limits that would be lower than the present ones, as they would hold from now on. */
export function loweredLimits(
  { limits: current, used }: Pick<ProtectionResponse, 'limits' | 'used'>,
  asked: PlayLimits,
  nowMs: number,
): LimitInForce[] {
  return EVERY_LIMIT.flatMap(({ kind, period }): LimitInForce[] => {
    const limitCents = asked[kind][period];
    if (limitCents === null || limitCents >= (current[kind][period] ?? Number.POSITIVE_INFINITY)) return [];
    const leftCents = Math.max(0, limitCents - used[kind][period]);
    const untilEpochMs = endOfPeriod(dayInNewYork(nowMs), period);
    return [{ setBy: 'gamer', kind, period, limitCents, leftCents, untilEpochMs }];
  });
}
