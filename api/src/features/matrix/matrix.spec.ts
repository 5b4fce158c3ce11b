import { type DownlineGamer, EAGER_DEPTH, genealogyOf } from './matrix.queries.js';

const gamer = (id: string, parentId: string | null, level: number, isDirect = false): DownlineGamer => ({
  id,
  parentId,
  username: `tag-${id}`,
  teamSize: 0,
  level,
  isDirect,
});

const line = Array.from({ length: 8 }, (_, level) =>
  gamer(`g${level}`, level === 0 ? 'above' : `g${level - 1}`, level),
);

const open = (downline: DownlineGamer[]) => genealogyOf(downline, [{ level: 2, gamers: 300, winningsCents: 14 }], 5);

it('cuts the tree at its eager depth, and lists all seven levels', () => {
  const response = open(line);
  let depth = 0;
  for (let node = response.genealogy; node.children[0]; node = node.children[0]) depth += 1;
  expect(depth).toBe(EAGER_DEPTH);
  expect(Object.values(response.levels).map((level) => level.map(({ id }) => id))).toEqual(
    [1, 2, 3, 4, 5, 6, 7].map((level) => [`g${level}`]),
  );
});

it('keeps children in the order of their slots and leaves the opened gamer’s own parent out', () => {
  const { genealogy } = open([
    gamer('a', 'above', 0),
    gamer('b', 'a', 1),
    gamer('c', 'a', 1, true),
    gamer('d', 'b', 2),
  ]);
  expect(genealogy.id).toBe('a');
  expect(genealogy.children.map(({ id, children }) => [id, children.map((child) => child.id)])).toEqual([
    ['b', ['d']],
    ['c', []],
  ]);
});
