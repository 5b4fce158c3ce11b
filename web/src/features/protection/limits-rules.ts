import {
  isLimit,
  LIMIT_KINDS,
  LIMIT_PERIODS,
  type LimitKind,
  type LimitPeriod,
  mapLimits,
  type PlayLimits,
} from '../../../../contracts/limits.js';
import { refusalText } from '../../../../contracts/refusals.js';
import { centsFromInput, inputFromCents } from '../../shared/format.js';

type LimitField = `${LimitKind}-${LimitPeriod}`;
type LimitTexts = Record<LimitField, string>;

/** The texts of the form's fields; an empty one is no limit. */
export const textsOf = (limits: PlayLimits): LimitTexts =>
  Object.fromEntries(
    LIMIT_KINDS.flatMap((kind) =>
      LIMIT_PERIODS.map((period) => {
        const cents = limits[kind][period];
        return [`${kind}-${period}`, cents === null ? '' : inputFromCents(cents)];
      }),
    ),
  ) as LimitTexts;

/** The limits as typed, in dollars, or what is wrong with which field. */
export function limitsFrom(texts: LimitTexts): { limits: PlayLimits } | { problems: Partial<LimitTexts> } {
  const problems: Partial<LimitTexts> = {};
  const limits = mapLimits((kind, period) => {
    const text = texts[`${kind}-${period}`].trim();
    if (text === '') return null;
    const cents = centsFromInput(text);
    if (cents === null || !isLimit(cents)) problems[`${kind}-${period}`] = refusalText({ code: 'invalid-limits' });
    return cents;
  });
  return Object.keys(problems).length === 0 ? { limits } : { problems };
}
