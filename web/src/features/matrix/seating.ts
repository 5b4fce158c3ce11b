import type { GenealogyNode } from '../../../../contracts/http/matrix.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { MATRIX_WIDTH } from '../../../../contracts/limits.js';

/**
 * Lengths are units of the picture's view box, 640 by 376. The first rows show each seat, the others are filled arcs.
 */
export const STAGE = { x: 320, y: 352 } as const;
export const SEAT_ROWS = [
  { radius: 92, seat: 12 },
  { radius: 146, seat: 8 },
  { radius: 198, seat: 5 },
] as const;
export const ARC_RADII = [234, 262, 290, 318] as const;

/** Angle of each row, in degrees. */
const SPAN = 164;

interface Point {
  x: number;
  y: number;
}

interface Seat extends Point {
  key: string;
  row: number;
  radius: number;
  gamer: { id: GamerId; username: string } | null;
  from: Point;
}

export function seatsOf(root: GenealogyNode): Seat[] {
  const seats: Seat[] = [];
  let above: { node: GenealogyNode | null; at: Point }[] = [{ node: root, at: STAGE }];
  SEAT_ROWS.forEach(({ radius, seat }, row) => {
    const places = MATRIX_WIDTH ** (row + 1);
    const next: typeof above = [];
    for (let place = 0; place < places; place += 1) {
      const parent = above[Math.floor(place / MATRIX_WIDTH)];
      const node = parent?.node?.children[place % MATRIX_WIDTH] ?? null;
      const at = onArc(radius, (place + 0.5) / places);
      next.push({ node, at });
      seats.push({
        key: `${row}-${place}`,
        row,
        radius: seat,
        gamer: node && { id: node.id, username: node.username },
        from: parent?.at ?? STAGE,
        ...at,
      });
    }
    above = next;
  });
  return seats;
}

export function onArc(radius: number, share: number): Point {
  const angle = ((90 + SPAN / 2 - share * SPAN) * Math.PI) / 180;
  return { x: rounded(STAGE.x + radius * Math.cos(angle)), y: rounded(STAGE.y - radius * Math.sin(angle)) };
}

/** The path of a row from its left end to a share of it. */
export function arcPath(radius: number, share: number): string {
  const [start, end] = [onArc(radius, 0), onArc(radius, Math.min(1, Math.max(0, share)))];
  return `M${start.x} ${start.y}A${radius} ${radius} 0 0 1 ${end.x} ${end.y}`;
}

const rounded = (n: number): number => Math.round(n * 10) / 10;
