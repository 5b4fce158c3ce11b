import type { GenealogyNode } from '../../../../contracts/http/matrix.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { MATRIX_WIDTH } from '../../../../contracts/limits.js';
import { range } from '../../shared/format.js';
import type { Level } from './levels.js';
import './seating-plan.css';

const SEATS = [
  ['', 'seated'],
  ['is-direct', 'direct referral'],
  ['is-free', 'free'],
] as const;

interface SeatingPlanProps {
  root: GenealogyNode;
  levels: Level[];
  directIds: ReadonlySet<GamerId>;
  label: string;
}

export function SeatingPlan({ root, levels, directIds, label }: SeatingPlanProps) {
  const seats = seatsOf(root);
  const counts = levels.map(({ number, count, capacity }) => `level ${number}: ${count} of ${capacity}`).join(', ');
  return (
    <figure className="plan">
      <svg viewBox="0 0 640 376" role="img" aria-label={`Seating plan. Taken on ${counts}.`}>
        <g className="plan-lines">
          {seats.map((seat) => (
            <line
              key={seat.key}
              className={seat.gamer === null ? 'is-free' : undefined}
              x1={seat.from.x}
              y1={seat.from.y}
              x2={seat.x}
              y2={seat.y}
            />
          ))}
        </g>
        {seats.map((seat) => (
          <g key={seat.key} className={seat.gamer === null ? 'plan-seat is-free' : 'plan-seat'}>
            <circle cx={seat.x} cy={seat.y} r={seat.radius} />
            {seat.gamer !== null && directIds.has(seat.gamer.id) && (
              <circle className="plan-direct" cx={seat.x} cy={seat.y} r={seat.radius + 3.5} />
            )}
            {seat.gamer !== null && <title>{seat.gamer.username}</title>}
          </g>
        ))}
        {ARC_RADII.map((radius, place) => {
          const level = levels[SEAT_ROWS.length + place];
          const share = level ? level.count / level.capacity : 0;
          return (
            <g key={radius} className="plan-arc">
              <path d={arcPath(radius, 1)} />
              {share > 0 && <path className="is-taken" d={arcPath(radius, Math.max(share, 0.004))} />}
            </g>
          );
        })}
        <circle className="plan-stage" cx={STAGE.x} cy={STAGE.y} r={22} />
        <text x={STAGE.x} y={STAGE.y + 5} textAnchor="middle">
          {label}
        </text>
      </svg>
      <figcaption className="plan-key">
        {SEATS.map(([className, name]) => (
          <span key={name}>
            <i className={className} />
            {name}
          </span>
        ))}
        <span>Rows 1 to 7 run from the stage outward.</span>
      </figcaption>
    </figure>
  );
}

/** Lengths are units of the view box, 640 by 376. The first rows show each seat, the others are filled arcs. */
export const STAGE = { x: 320, y: 352 } as const;
export const SEAT_ROWS = [
  { radius: 92, seat: 12 },
  { radius: 146, seat: 8 },
  { radius: 198, seat: 5 },
] as const;
const ARC_RADII = [234, 262, 290, 318] as const;

const ROW_DEGREES = 164;

type Point = { x: number; y: number };

interface Seat extends Point {
  key: string;
  radius: number;
  gamer: GenealogyNode | null;
  from: Point;
}

export function seatsOf(root: GenealogyNode): Seat[] {
  let parents: Pick<Seat, 'x' | 'y' | 'gamer'>[] = [{ ...STAGE, gamer: root }];
  return SEAT_ROWS.flatMap(({ radius, seat }, row) => {
    const places = MATRIX_WIDTH ** (row + 1);
    const seats = parents.flatMap(({ gamer: parent, x, y }, parentPlace) =>
      range(0, MATRIX_WIDTH - 1).map((child) => {
        const place = parentPlace * MATRIX_WIDTH + child;
        const gamer = parent?.children[child] ?? null;
        const point = onArc(radius, (place + 0.5) / places);
        return { key: `${row}-${place}`, radius: seat, gamer, from: { x, y }, ...point };
      }),
    );
    parents = seats;
    return seats;
  });
}

function onArc(radius: number, share: number): Point {
  const angle = ((90 + ROW_DEGREES / 2 - share * ROW_DEGREES) * Math.PI) / 180;
  return { x: toTenth(STAGE.x + radius * Math.cos(angle)), y: toTenth(STAGE.y - radius * Math.sin(angle)) };
}

function arcPath(radius: number, share: number): string {
  const start = onArc(radius, 0);
  const end = onArc(radius, Math.min(1, share));
  return `M${start.x} ${start.y}A${radius} ${radius} 0 0 1 ${end.x} ${end.y}`;
}

const toTenth = (n: number): number => Math.round(n * 10) / 10;
