import type { GenealogyNode } from '../../../../contracts/http/matrix.js';
import { arcPath, onArc, SEAT_ROWS, STAGE, seatsOf } from './seating-plan.js';

const node = (id: string, children: GenealogyNode[] = []): GenealogyNode => ({
  id,
  username: id.toUpperCase(),
  teamSize: children.length,
  children,
});

const seats = seatsOf(node('me', [node('a', [node('b'), node('c')]), node('d')]));

it('shows every seat of the first rows, taken or free', () => {
  expect(SEAT_ROWS.map(({ seat }) => seats.filter(({ radius }) => radius === seat).length)).toEqual([3, 9, 27]);
  expect(seats.filter(({ gamer }) => gamer !== null).map(({ gamer }) => gamer?.id)).toEqual(['a', 'd', 'b', 'c']);
});

it('connects each seat with the seat of its parent', () => {
  const [a, b] = ['a', 'b'].map((id) => seats.find(({ gamer }) => gamer?.id === id));
  expect(a?.from).toEqual(STAGE);
  expect(b?.from).toEqual({ x: a?.x, y: a?.y });
});

it('is symmetrical', () => {
  const row = seats.filter(({ radius }) => radius === SEAT_ROWS[1].seat);
  expect((row[0]?.x ?? 0) + (row[8]?.x ?? 0)).toBeCloseTo(2 * STAGE.x, 1);
  expect(row[4]).toMatchObject({ x: STAGE.x, y: STAGE.y - SEAT_ROWS[1].radius });
});

it('fills an arc by its share of taken seats, and never beyond its end', () => {
  expect(arcPath(200, 2)).toBe(arcPath(200, 1));
  expect(arcPath(200, 0.5)).toContain(`${STAGE.x} ${STAGE.y - 200}`);
  expect(onArc(200, 0).x).toBeLessThan(onArc(200, 1).x);
});
