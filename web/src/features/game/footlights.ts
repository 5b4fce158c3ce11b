import type { GamePurchase } from '../../../../contracts/http/game.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { MAX_BOARD_PURCHASES } from '../../../../contracts/limits.js';
import { numberText } from '../../shared/format.js';

/** Above this many lamps the row is crowded: groups share its width, and the older ones become "others". */
export const LAMPS_SHOWN = 24;
const LAMP_WIDTH_PX = 66;
const LAMP_GAP_PX = 3;
/** Narrower groups show no name, because it could not be read. */
const TAG_MIN_PX = 38;
const TAG_FULL_PX = 64;

/** A crowded row keeps groups of their own for these newest purchases and for the gamer's newest. */
const NEWEST_SHOWN = 12;
/** The least widths of groups in a crowded row, in px: they fit a phone of 320 px, twelve buyers' groups included. */
const LEAST_PX = { last: TAG_FULL_PX, you: 40, others: 16, buyer: 9 } as const;
/** A buyer's least width never exceeds this: a name needs no more. */
const LEAST_BUYER_MAX_PX = 44;
/** The lamps of `others` weigh at most this share of the lamps with a name. */
const OTHERS_SHARE = 0.5;
const SLIM_LAMP_PX = 14;

/** The last buyer's tag may be wider than its group: to the left (`spill`) or past the row's end (`overhang`). */
type TagFit = 'none' | 'short' | 'full' | 'spill' | 'overhang';

/** The lamps of one purchase, or several merged purchases, or of time that nobody bought. */
export interface Cue {
  key: string;
  /** `opening` is time from the round's start; `others` is that of purchases not shown one by one, or no longer listed. */
  owner: 'buyer' | 'opening' | 'others';
  buyerGamerTag: string | null;
  lamps: number;
  seconds: number;
  isLast: boolean;
  isYou: boolean;
  /** Lamps drawn; fewer than there are in a crowded row. */
  drawn: number;
  /** Width in the row: in lamps, or in px in a crowded row. */
  width: number;
  px: number;
  tag: TagFit;
}

export type Footlights = ReturnType<typeof layFootlights>;

interface FootlightsInput {
  /** Newest first. */
  purchases: readonly Pick<GamePurchase, 'purchaseId' | 'buyerId' | 'buyerGamerTag' | 'addedSeconds'>[];
  secondsLeft: number;
  secondsPerLamp: number;
  rowWidthPx: number;
  myId: GamerId;
}

/** Lays out the time that is left as groups of lamps: those of the newest purchase come last, and go out last. */
export function layFootlights(input: FootlightsInput) {
  const { secondsPerLamp, rowWidthPx } = input;
  const cues = groupsOf(input);
  const lamps = lampsOf(cues);
  const isCrowded = lamps > LAMPS_SHOWN;
  const firstSeconds = cues[0] ? cues[0].seconds % secondsPerLamp || secondsPerLamp : 0;
  /** Part of the first lamp that is left, from 0 to 1. */
  const firstLampLeft = firstSeconds / secondsPerLamp;
  const laid = isCrowded ? layCrowded(withOthers(cues), rowWidthPx) : layLamps(cues, rowWidthPx);
  return { cues: withTags(laid, rowWidthPx), lamps, isCrowded, firstLampLeft };
}

function groupsOf({ purchases, secondsLeft, secondsPerLamp, myId }: FootlightsInput): Cue[] {
  const cues: Cue[] = [];
  let unclaimed = secondsLeft;
  for (const { purchaseId, buyerId, buyerGamerTag, addedSeconds } of purchases) {
    if (unclaimed <= 0) break;
    const seconds = Math.min(addedSeconds, unclaimed);
    if (seconds <= 0) continue;
    const buyer = { buyerGamerTag, isYou: buyerId === myId };
    cues.push({ ...cue(purchaseId, 'buyer', seconds, secondsPerLamp), ...buyer });
    unclaimed -= seconds;
  }
  if (cues[0]) cues[0].isLast = true;
  if (unclaimed > 0) {
    const owner = purchases.length >= MAX_BOARD_PURCHASES ? 'others' : 'opening';
    cues.push(cue(owner, owner, unclaimed, secondsPerLamp));
  }
  return cues.reverse();
}

const sumOf = (cues: readonly Cue[], of: (c: Cue) => number): number => cues.reduce((sum, c) => sum + of(c), 0);

const lampsOf = (cues: readonly Cue[]): number => sumOf(cues, ({ lamps }) => lamps);

function cue(key: string, owner: Cue['owner'], seconds: number, secondsPerLamp: number): Cue {
  const lamps = Math.ceil(seconds / secondsPerLamp);
  const layoutDefaults = { drawn: lamps, width: lamps, px: 0, tag: 'full' } as const;
  return { key, owner, buyerGamerTag: null, lamps, seconds, isLast: false, isYou: false, ...layoutDefaults };
}

function layLamps(cues: readonly Cue[], rowWidthPx: number): Cue[] {
  const lamps = lampsOf(cues);
  const lampPx = Math.min(LAMP_WIDTH_PX, rowWidthPx * 0.116, (rowWidthPx - lamps * LAMP_GAP_PX) / Math.max(lamps, 1));
  return cues.map((c) => ({ ...c, px: c.lamps * (lampPx + LAMP_GAP_PX) }));
}

const OTHERS = { owner: 'others', buyerGamerTag: null } as const;

/** Merges neighbours that are neither among the newest purchases nor the gamer's newest. */
function withOthers(cues: readonly Cue[]): Cue[] {
  const mine = cues.findLast(({ isYou }) => isYou);
  const shown = new Set(cues.filter(({ owner }) => owner === 'buyer').slice(-NEWEST_SHOWN));
  const merged: Cue[] = [];
  for (const c of cues) {
    const previous = merged.at(-1);
    if (shown.has(c) || c === mine) merged.push(c);
    else if (previous && previous !== mine) {
      const sum = { lamps: previous.lamps + c.lamps, seconds: previous.seconds + c.seconds };
      merged[merged.length - 1] = { ...previous, ...OTHERS, ...sum };
    } else if (c.owner === 'buyer') merged.push({ ...c, ...OTHERS, key: `others-${merged.length}` });
    else merged.push(c);
  }
  return merged;
}

/** Each group gets its least width, and a share of the rest by its lamps; the others' share is limited. */
function layCrowded(cues: readonly Cue[], rowWidthPx: number): Cue[] {
  const fullPx = Math.max(0, rowWidthPx - (cues.length - 1) * LAMP_GAP_PX);
  const isNamed = (c: Cue): boolean => c.owner === 'buyer';
  const buyersPx = fullPx - LEAST_PX.last - LEAST_PX.you - LEAST_PX.others;
  const buyerPx = Math.min(Math.max((buyersPx / NEWEST_SHOWN) * 0.9, LEAST_PX.buyer), LEAST_BUYER_MAX_PX);
  const leastOf = (c: Cue): number => {
    if (c.isLast) return LEAST_PX.last;
    if (!isNamed(c)) return LEAST_PX.others;
    return c.isYou ? Math.max(LEAST_PX.you, buyerPx) : buyerPx;
  };
  const named = lampsOf(cues.filter(isNamed));
  const others = lampsOf(cues) - named;
  const dimmed = named === 0 ? 1 : Math.min(1, (named * OTHERS_SHARE) / Math.max(others, 1));
  const weightOf = (c: Cue): number => c.lamps * (isNamed(c) ? 1 : dimmed);
  const restPx = Math.max(0, fullPx - sumOf(cues, leastOf));
  const weights = sumOf(cues, weightOf);
  return cues.map((c) => {
    const px = leastOf(c) + (restPx * weightOf(c)) / weights;
    return { ...c, width: px, px, drawn: Math.min(Math.max(Math.floor(px / SLIM_LAMP_PX), 1), c.lamps) };
  });
}

export const CHARACTER_PX = 8;

function withTags(cues: readonly Cue[], rowWidthPx: number): Cue[] {
  const fitOf = ({ px }: Cue): TagFit => {
    if (cues.length === 1 || px >= TAG_FULL_PX) return 'full';
    return px >= TAG_MIN_PX ? 'short' : 'none';
  };
  const tagged = cues.map((c) => ({ ...c, tag: fitOf(c) }));
  const last = tagged.at(-1);
  const before = tagged.at(-2);
  if (!last?.isLast || !before) return tagged;
  const namePx = (last.buyerGamerTag ?? '').length * CHARACTER_PX;
  const freePx = (rowWidthPx - cues.reduce((sum, { px }) => sum + px, 0)) / 2;
  if (namePx > last.px && namePx <= last.px + freePx) last.tag = 'overhang';
  else if (last.tag === 'none' && before.tag === 'none') last.tag = 'spill';
  return tagged;
}

/** The lamps as text for screen readers: their number, and their owners in the order they go out. */
export function footlightsText(lights: Footlights, secondsPerLamp: number): string {
  if (lights.lamps === 0) return 'All lamps are out.';
  const head =
    lights.lamps === 1 ? 'One lamp left.' : `${numberText(lights.lamps)} lamps left, ${secondsPerLamp} seconds each.`;
  const whose = lights.cues.map((c) => `${nameOf(c)} ${numberText(c.lamps)}`).join(', ');
  return `${head} In order: ${whose}.`;
}

function nameOf({ owner, isYou, buyerGamerTag }: Cue): string {
  if (owner === 'buyer') return isYou ? 'you' : (buyerGamerTag ?? 'someone');
  return owner === 'opening' ? 'opening time' : owner;
}
