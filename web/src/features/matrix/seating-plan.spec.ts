import type { GenealogyNode } from '../../../../contracts/http/matrix.js';
import { SEAT_ROWS, STAGE, seatsOf } from './seating-plan.js';

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
