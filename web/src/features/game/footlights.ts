import type { GamePurchase } from '../../../../contracts/http/game.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { BOARD_PURCHASES } from '../../../../contracts/limits.js';

/**
 * The footlights: a row of lamps, each for the time that one token adds, grouped by purchase in the order they go out.
 * The newest purchase's lamps go out last, so the time left is divided from the countdown's end backwards. Time that no
 * known purchase added is opening time, or, when the board's list is full, time bought earlier.
 */

/** Above this many lamps each purchase is one bar. */
export const LAMPS_SHOWN = 24;
const LAMP_WIDTH_PX = 66;
const LAMP_GAP_PX = 3;
const BAR_MIN_PX = 12;
/** Narrower groups show no name, because it could not be read. */
const TAG_MIN_PX = 38;
/** From this width on the detail fits too. */
const TAG_FULL_PX = 64;
/** A row of bars is as wide as this many lamps. */
const BAR_ROW_LAMPS = 27;

/** How much of the name fits below a group. With `spill` it extends to the left, where no other name is shown. */
type TagFit = 'none' | 'short' | 'full' | 'spill';

/** The lamps of one purchase, or several merged purchases, or of time that nobody bought. */
export interface Cue {
  key: string;
  /** `opening` is time from the round's start, `earlier` from purchases that left the list, `others` several purchases. */
  owner: 'buyer' | 'opening' | 'earlier' | 'others';
  buyerId: GamerId | null;
  buyerGamerTag: string | null;
  lamps: number;
  /** Seconds left of its time. */
  seconds: number;
  isLast: boolean;
  /** Width in the row, in lamp widths. */
  width: number;
  tag: TagFit;
}

export interface Footlights {
  cues: Cue[];
  lamps: number;
  /** True when each purchase is one bar instead of lamps. */
  merged: boolean;
  /** Part of the first lamp that is left, from 0 to 1. */
  firstLampLeft: number;
}

interface FootlightsInput {
  /** Newest first. */
  purchases: readonly Pick<GamePurchase, 'purchaseId' | 'buyerId' | 'buyerGamerTag' | 'addedSeconds'>[];
  secondsLeft: number;
  secondsPerLamp: number;
  rowWidthPx: number;
}

export function layFootlights({ purchases, secondsLeft, secondsPerLamp, rowWidthPx }: FootlightsInput): Footlights {
  const cues: Cue[] = [];
  let unclaimed = secondsLeft;
  for (const purchase of purchases) {
    if (unclaimed <= 0) break;
    const seconds = Math.min(purchase.addedSeconds, unclaimed);
    if (seconds <= 0) continue;
    cues.push(cue(purchase.purchaseId, 'buyer', seconds, secondsPerLamp, purchase));
    unclaimed -= seconds;
  }
  if (cues[0]) cues[0].isLast = true;
  if (unclaimed > 0) {
    const owner = purchases.length >= BOARD_PURCHASES ? 'earlier' : 'opening';
    cues.push(cue(owner, owner, unclaimed, secondsPerLamp));
  }
  cues.reverse();
  const lamps = cues.reduce((sum, c) => sum + c.lamps, 0);
  const merged = lamps > LAMPS_SHOWN;
  const first = cues[0];
  const firstLampLeft = first ? partOfFirstLamp(first.seconds, secondsPerLamp) : 0;
  const laid = merged ? mergeBars(cues, lamps, rowWidthPx) : cues.map((c) => ({ ...c, width: c.lamps }));
  return { cues: withTags(laid, rowWidthPx), lamps, merged, firstLampLeft };
}

type Buyer = Pick<Cue, 'buyerId' | 'buyerGamerTag'>;
const nobody: Buyer = { buyerId: null, buyerGamerTag: null };

function cue(key: string, owner: Cue['owner'], seconds: number, secondsPerLamp: number, buyer = nobody): Cue {
  const lamps = Math.ceil(seconds / secondsPerLamp);
  const { buyerId, buyerGamerTag } = buyer;
  return { key, owner, buyerId, buyerGamerTag, lamps, seconds, isLast: false, width: lamps, tag: 'full' };
}

const partOfFirstLamp = (seconds: number, secondsPerLamp: number): number => {
  const rest = seconds % secondsPerLamp;
  return rest === 0 ? 1 : rest / secondsPerLamp;
};

/** Bars as wide as their share. Neighbours that are too narrow become "others"; the last purchase is never merged. */
function mergeBars(cues: readonly Cue[], lamps: number, rowWidthPx: number): Cue[] {
  const fullPx = Math.min(rowWidthPx, BAR_ROW_LAMPS * LAMP_WIDTH_PX);
  const minLamps = (BAR_MIN_PX / fullPx) * lamps;
  const merged: Cue[] = [];
  for (const c of cues) {
    const previous = merged.at(-1);
    const isNarrow = !c.isLast && c.lamps < minLamps;
    if (isNarrow && previous?.owner === 'others') {
      previous.lamps += c.lamps;
      previous.seconds += c.seconds;
    } else if (isNarrow && previous !== undefined) {
      merged.push({ ...c, ...nobody, key: `others-${c.key}`, owner: 'others' });
    } else {
      merged.push({ ...c });
    }
  }
  return merged.map((c) => ({ ...c, width: Math.max(c.lamps, minLamps) * (BAR_ROW_LAMPS / lamps) }));
}

function withTags(cues: readonly Cue[], rowWidthPx: number): Cue[] {
  const total = cues.reduce((sum, c) => sum + c.width, 0);
  const lampPx = Math.min(LAMP_WIDTH_PX, rowWidthPx * 0.116, (rowWidthPx - total * LAMP_GAP_PX) / Math.max(total, 1));
  const fitOf = (c: Cue): TagFit => {
    const px = c.width * (lampPx + LAMP_GAP_PX);
    if (cues.length === 1 || px >= TAG_FULL_PX) return 'full';
    return px >= TAG_MIN_PX ? 'short' : 'none';
  };
  const tagged = cues.map((c) => ({ ...c, tag: fitOf(c) }));
  const [last, before] = [tagged.at(-1), tagged.at(-2)];
  if (last?.isLast && last.tag === 'none' && before?.tag === 'none') last.tag = 'spill';
  return tagged;
}

/** The lamps as text for screen readers: their number, and their owners in the order they go out. */
export function footlightsText(lights: Footlights, secondsPerLamp: number, myId: GamerId | null): string {
  if (lights.lamps === 0) return 'All lamps are out.';
  const head = lights.lamps === 1 ? 'One lamp left.' : `${lights.lamps} lamps left, ${secondsPerLamp} seconds each.`;
  const whose = lights.cues.map((c) => `${nameOf(c, myId)} ${c.lamps}`).join(', ');
  return `${head} In order: ${whose}.`;
}

function nameOf(c: Pick<Cue, 'owner' | 'buyerId' | 'buyerGamerTag'>, myId: GamerId | null): string {
  if (c.owner === 'buyer') return c.buyerId === myId ? 'you' : (c.buyerGamerTag ?? 'someone');
  return c.owner === 'opening' ? 'opening time' : c.owner;
}
