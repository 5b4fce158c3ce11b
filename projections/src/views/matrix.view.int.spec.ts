import type { GamerId } from '../../../contracts/ids.js';
import { MATRIX_DEPTH } from '../../../contracts/limits.js';
import { MemoryLog } from '../testing/memory-log.js';
import { HOUSE, Story } from '../testing/story.js';
import { Workplace } from '../testing/worker.js';

// Long enough for a machine that is busy with other things.
jest.setTimeout(120_000);

const story = new Story(23);
const everyone = new Set<GamerId>([HOUSE]);
for (let joined = 0; joined < 400; joined += 1) everyone.add(story.join());
story.tell({ type: 'ForceStartLive' });
buyInTurn();
// Some leave, from anywhere in the tree; some in a row, so that a batch holds several; others join between and after.
for (let left = 0; left < 60; left += 1) {
  story.leave(story.gamers[(left * 37) % story.gamers.length] as GamerId);
  if (left % 4 === 0) everyone.add(story.join());
}
buyInTurn();

function buyInTurn(): void {
  for (const [index, gamerId] of story.gamers.entries()) {
    story.tell({ type: 'BuyTokens', buyerId: gamerId, quantity: 1 + (index % 5) });
  }
}

let at: Workplace;

beforeAll(async () => {
  at = await Workplace.open();
  const log = new MemoryLog();
  log.add(story.log);
  // Small batches, so that parents and children meet in one and in several.
  at.start(log, { limits: { maxEvents: 7, lingerMs: 0 } });
  await at.reached(story.log.at(-1)?.position as string);
});

afterAll(() => at.close());

/** Up to seven gamers above, nearest first, found by walking. */
function uplinesByWalking(gamerId: GamerId): GamerId[] {
  const uplines: GamerId[] = [];
  let above = story.state.gamers.get(gamerId)?.parentId ?? null;
  while (above !== null && uplines.length < MATRIX_DEPTH) {
    uplines.push(above);
    above = story.state.gamers.get(above)?.parentId ?? null;
  }
  return uplines;
}

/** How many gamers stand on each level below, found by walking up from every gamer. */
function countsByWalking(): Map<GamerId, number[]> {
  const counts = new Map<GamerId, number[]>(
    [HOUSE, ...story.gamers].map((id) => [id, new Array(MATRIX_DEPTH).fill(0)]),
  );
  for (const gamerId of story.gamers) {
    for (const [level, above] of uplinesByWalking(gamerId).entries()) {
      const levels = counts.get(above) as number[];
      levels[level] = (levels[level] as number) + 1;
    }
  }
  return counts;
}

it('seats everyone where the rules do, below the same uplines, and nobody who left', async () => {
  expect(everyone.size - story.gamers.length - 1).toBeGreaterThan(50);
  const { rows } = await at.db.query<{ id: string; parent_id: string | null; slot: number | null; uplines: string[] }>(
    'SELECT id, parent_id, slot, uplines FROM matrix_gamers ORDER BY id',
  );
  const expected = [HOUSE, ...story.gamers].sort().map((id) => {
    const place = story.state.gamers.get(id);
    return { id, parent_id: place?.parentId, slot: place?.slot, uplines: uplinesByWalking(id) };
  });
  expect(rows).toEqual(expected);
});

interface LevelRow {
  gamer_id: string;
  level: number;
  gamers: number;
  winnings_cents: string;
}

it('counts every level as a walk through the whole matrix does', async () => {
  const { rows } = await at.db.query<LevelRow>('SELECT * FROM matrix_levels');
  const teams = await at.db.query<{ id: string; team_size: number }>('SELECT id, team_size FROM matrix_gamers');
  for (const [gamerId, counts] of countsByWalking()) {
    const levels = new Array(MATRIX_DEPTH).fill(0);
    for (const row of rows) if (row.gamer_id === gamerId) levels[row.level - 1] = row.gamers;
    expect([gamerId, levels]).toEqual([gamerId, counts]);
    const team = teams.rows.find(({ id }) => id === gamerId)?.team_size;
    expect(team).toBe(counts.reduce((sum, count) => sum + count, 0));
  }
});

it('splits what a gamer was credited into levels and the direct bonus, to the cent', async () => {
  const { rows } = await at.db.query<{ id: string; split: string; credited: string }>(
    `SELECT id, direct_bonus_cents + coalesce((SELECT sum(winnings_cents) FROM matrix_levels WHERE gamer_id = id), 0) AS split,
       coalesce((SELECT cents FROM balances WHERE account = 'gamer:' || id || ':winnings'), 0) AS credited
     FROM matrix_gamers`,
  );
  expect(rows.length).toBe(1 + story.gamers.length);
  expect(rows.filter(({ split, credited }) => split !== credited)).toEqual([]);
  expect(rows.some(({ credited }) => Number(credited) > 0)).toBe(true);
});

it('leaves no row of a gamer who left, nor of a level that is empty and was never paid', async () => {
  const { rows } = await at.db.query<LevelRow>('SELECT * FROM matrix_levels');
  const here = new Set([HOUSE, ...story.gamers]);
  expect(rows.filter((row) => !here.has(row.gamer_id))).toEqual([]);
  expect(rows.filter((row) => row.gamers === 0 && Number(row.winnings_cents) === 0)).toEqual([]);
});

it('pays the direct bonus by the token to sponsors alone', async () => {
  const expected = new Map<GamerId, number>();
  for (const { event } of story.log) {
    if (event.type !== 'TokenPurchased') continue;
    for (const { gamerId, direct } of event.data.allocations) {
      if (direct && story.gamers.includes(gamerId)) {
        expected.set(gamerId, (expected.get(gamerId) ?? 0) + event.data.quantity);
      }
    }
  }
  const { rows } = await at.db.query<{ id: string; cents: string }>(
    'SELECT id, direct_bonus_cents AS cents FROM matrix_gamers WHERE direct_bonus_cents <> 0',
  );
  expect(new Map(rows.map(({ id, cents }) => [id, Number(cents)]))).toEqual(expected);
});
