import type { GamePurchase } from '../../../../contracts/http/game.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { BOARD_PURCHASES } from '../../../../contracts/limits.js';

/**
 * The footlights: one lamp per token's time that is left, in the order they burn, grouped by purchase. What the newest
 * purchase added burns last, so time is handed out from the end of the countdown backwards. What the known purchases do
 * not cover is opening time, or (when the board's list is full) time bought before it.
 */

/** Above this many lamps each purchase is one bar. */
export const LAMPS_SHOWN = 24;
const LAMP_WIDTH_PX = 66;
const LAMP_GAP_PX = 3;
/** Narrower bars merge. */
const BAR_MIN_PX = 12;
/** Narrower cues carry no name: it could not be read. */
const TAG_MIN_PX = 38;
/** From here on the detail fits too. */
const TAG_FULL_PX = 64;
/** A row of bars is as wide as this many lamps, and lends each at least… */
const BAR_ROW_LAMPS = 27;

/** How much of its name fits below a cue; `spill` runs on to the left, where nobody else's name stands. */
export type TagRoom = 'none' | 'short' | 'full' | 'spill';

export interface Cue {
  key: string;
  /** `opening` and `earlier` belong to nobody the board can name; `others` are several purchases. */
  owner: 'buyer' | 'opening' | 'earlier' | 'others';
  buyerId: GamerId | null;
  buyerGamerTag: string | null;
  lamps: number;
  /** Seconds of it that are left. */
  seconds: number;
  isLast: boolean;
  /** Its share of the row, in lamp widths. */
  width: number;
  tag: TagRoom;
}

export interface Footlights {
  cues: Cue[];
  lamps: number;
  /** Bars instead of lamps. */
  merged: boolean;
  /** How much of the first lamp is left, 0 to 1. */
  firstLampLeft: number;
}

export interface FootlightsInput {
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

function cue(
  key: string,
  owner: Cue['owner'],
  seconds: number,
  secondsPerLamp: number,
  buyer?: { buyerId: GamerId; buyerGamerTag: string },
): Cue {
  const lamps = Math.ceil(seconds / secondsPerLamp);
  return {
    key,
    owner,
    buyerId: buyer?.buyerId ?? null,
    buyerGamerTag: buyer?.buyerGamerTag ?? null,
    lamps,
    seconds,
    isLast: false,
    width: lamps,
    tag: 'full',
  };
}

const partOfFirstLamp = (seconds: number, secondsPerLamp: number): number => {
  const rest = seconds % secondsPerLamp;
  return rest === 0 ? 1 : rest / secondsPerLamp;
};

/** Bars as wide as their share; neighbours too narrow to see become "others". The last purchase never merges. */
function mergeBars(cues: readonly Cue[], lamps: number, rowWidthPx: number): Cue[] {
  const fullPx = Math.min(rowWidthPx, BAR_ROW_LAMPS * LAMP_WIDTH_PX);
  const minLamps = (BAR_MIN_PX / fullPx) * lamps;
  const merged: Cue[] = [];
  for (const c of cues) {
    const before = merged.at(-1);
    const mergeable = !c.isLast && c.lamps < minLamps && before !== undefined && before.owner === 'others';
    if (mergeable) {
      before.lamps += c.lamps;
      before.seconds += c.seconds;
    } else if (!c.isLast && c.lamps < minLamps && merged.length > 0) {
      merged.push({ ...c, key: `others-${c.key}`, owner: 'others', buyerId: null, buyerGamerTag: null });
    } else {
      merged.push({ ...c });
    }
  }
  return merged.map((c) => ({ ...c, width: Math.max(c.lamps, minLamps) * (BAR_ROW_LAMPS / lamps) }));
}

function withTags(cues: readonly Cue[], rowWidthPx: number): Cue[] {
  const total = cues.reduce((sum, c) => sum + c.width, 0);
  const lampPx = Math.min(LAMP_WIDTH_PX, rowWidthPx * 0.116, (rowWidthPx - total * LAMP_GAP_PX) / Math.max(total, 1));
  const roomFor = (c: Cue): TagRoom => {
    const px = c.width * (lampPx + LAMP_GAP_PX);
    if (cues.length === 1 || px >= TAG_FULL_PX) return 'full';
    return px >= TAG_MIN_PX ? 'short' : 'none';
  };
  const tagged = cues.map((c) => ({ ...c, tag: roomFor(c) }));
  const [last, before] = [tagged.at(-1), tagged.at(-2)];
  if (last?.isLast && last.tag === 'none' && before?.tag === 'none') last.tag = 'spill';
  return tagged;
}

/** For whoever cannot see the lamps: how many, and whose, in the order they burn. */
export function footlightsText(lights: Footlights, secondsPerLamp: number, myId: GamerId | null): string {
  if (lights.lamps === 0) return 'All lamps are out.';
  const head = lights.lamps === 1 ? 'One lamp left.' : `${lights.lamps} lamps left, ${secondsPerLamp} seconds each.`;
  const whose = lights.cues.map((c) => `${nameOf(c, myId)} ${c.lamps}`).join(', ');
  return `${head} In order: ${whose}.`;
}

export function nameOf(c: Pick<Cue, 'owner' | 'buyerId' | 'buyerGamerTag'>, myId: GamerId | null): string {
  if (c.owner === 'buyer') return c.buyerId === myId ? 'you' : (c.buyerGamerTag ?? 'someone');
  return c.owner === 'opening' ? 'opening time' : c.owner;
}
