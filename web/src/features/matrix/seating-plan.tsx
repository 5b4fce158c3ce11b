import type { GenealogyNode } from '../../../../contracts/http/matrix.js';
import type { GamerId } from '../../../../contracts/ids.js';
import type { Level } from './levels.js';
import { ARC_RADII, arcPath, SEAT_ROWS, STAGE, seatsOf } from './seating.js';
import './seating-plan.css';

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
        <span>
          <i />
          seated
        </span>
        <span>
          <i className="is-direct" />
          direct referral
        </span>
        <span>
          <i className="is-free" />
          free
        </span>
        <span>Rows 1 to 7 run from the stage outward.</span>
      </figcaption>
    </figure>
  );
}
