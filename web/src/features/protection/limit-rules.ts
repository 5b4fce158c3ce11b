import type { ProtectionResponse } from '../../../../contracts/http/protection.js';
import { dayInNewYork, endOfPeriod } from '../../../../contracts/new-york.js';
import * as protection from '../../../../contracts/protection.js';
import { refusalText } from '../../../../contracts/refusals.js';
import { centsFromInput, commaProblem, inputFromCents } from '../../shared/format.js';

type LimitTexts = Record<`${protection.LimitKind}-${protection.LimitPeriod}`, string>;

export function textsOf(saved: protection.PlayLimits): LimitTexts {
  const textOf = (cents: number | null) => (cents === null ? '' : inputFromCents(cents));
  const fields = protection.EVERY_LIMIT.map(({ kind, period }) => [`${kind}-${period}`, textOf(saved[kind][period])]);
  return Object.fromEntries(fields) as LimitTexts;
}

export function limitsFrom(texts: LimitTexts): { limits: protection.PlayLimits } | { problems: Partial<LimitTexts> } {
  const problems: Partial<LimitTexts> = {};
  const typed = protection.mapLimits((kind, period) => {
    const text = texts[`${kind}-${period}`].trim();
    if (text === '') return null;
    const cents = centsFromInput(text);
    if (cents === null || !protection.isLimit(cents))
      problems[`${kind}-${period}`] =
        commaProblem(text) ??
        (cents !== null && cents > 0
          ? refusalText({ code: 'invalid-limits' })
          : `Please enter an amount such as 20.00, not ${text}`);
    return cents;
  });
  return Object.keys(problems).length === 0 ? { limits: typed } : { problems };
}

/** The limits that would be lower than the current ones, as they would hold from now on. */
export function loweredLimits(
  { limits: current, used }: Pick<ProtectionResponse, 'limits' | 'used'>,
  wanted: protection.PlayLimits,
  nowMs: number,
): protection.LimitInForce[] {
  return protection.EVERY_LIMIT.flatMap(({ kind, period }): protection.LimitInForce[] => {
    const limitCents = wanted[kind][period];
    if (limitCents === null || limitCents >= (current[kind][period] ?? Number.POSITIVE_INFINITY)) return [];
    const leftCents = Math.max(0, limitCents - used[kind][period]);
    const untilMs = endOfPeriod(dayInNewYork(nowMs), period);
    return [{ setBy: 'gamer', kind, period, limitCents, leftCents, untilMs }];
  });
}
