import type { OurEvent } from './recorded.js';

/**
 * The version in which each type of event is written now: 1 where nothing is said. The log keeps older ones as they were
 * written, and their chain proves them so: nothing is rewritten while reading. What a later version added is therefore
 * optional in the type, and says since when it is there.
 */
const WRITTEN_NOW: Partial<Record<OurEvent['type'], number>> = { BalanceAdjusted: 2 };

export const schemaOf = (type: OurEvent['type']): number => WRITTEN_NOW[type] ?? 1;
