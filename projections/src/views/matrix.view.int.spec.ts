import type { GamerId } from '../../../contracts/ids.js';
import { MATRIX_DEPTH } from '../../../contracts/limits.js';
import { MemoryLog } from '../testing/memory-log.js';
import { ADMIN, RandomGame } from '../testing/scenario.js';
import { TestWorker } from '../testing/worker.js';
import { matrixView } from './matrix.view.js';
import { add } from './view.js';
import { balancesView } from './winnings.view.js';

const scenario = new RandomGame(23);
const everyone = new Set<GamerId>([ADMIN]);
for (let joined = 0; joined < 400; joined += 1) everyone.add(scenario.join());
scenario.submit({ type: 'ForceStartLive' });
buyInTurn();
// Gamers leave all over the tree, several of them within one batch; others join between and after.
for (let left = 0; left < 60; left += 1) {
  scenario.leave(scenario.gamers[(left * 37) % scenario.gamers.length] as GamerId);
  if (left % 4 === 0) everyone.add(scenario.join());
}
buyInTurn();

function buyInTurn(): void {
  for (const [index, gamerId] of scenario.gamers.entries()) {
    scenario.submit({ type: 'BuyTokens', buyerId: gamerId, quantity: 1 + (index % 5) });
  }
}

const worker = TestWorker.forTests('all');

beforeAll(async () => {
  const log = new MemoryLog();
  log.add(scenario.log);
  // Small batches, so that parents and children are in one batch or in several.
  await worker.project(log, { views: [matrixView, balancesView], limits: { maxEvents: 15, lingerMs: 0 } });
});

/** Up to seven uplines, nearest first, by walking up the tree. */
function uplinesByWalking(gamerId: GamerId): GamerId[] {
  const uplines: GamerId[] = [];
  let above = scenario.state.gamers.get(gamerId)?.parentId ?? null;
  while (above !== null && uplines.length < MATRIX_DEPTH) {
    uplines.push(above);
    above = scenario.state.gamers.get(above)?.parentId ?? null;
  }
  return uplines;
}

it('has the places and uplines of the deciders’ matrix, without removed gamers', async () => {
  expect(everyone.size - scenario.gamers.length - 1).toBeGreaterThan(50);
  const { rows } = await worker.db.query('SELECT id, parent_id, slot, uplines FROM matrix_gamers ORDER BY id');
  const expected = [ADMIN, ...scenario.gamers].sort().map((id) => {
    const place = scenario.state.gamers.get(id);
    return { id, parent_id: place?.parentId, slot: place?.slot, uplines: uplinesByWalking(id) };
  });
  expect(rows).toEqual(expected);
});

it('counts every level like a walk up from every gamer, without removed gamers and empty levels', async () => {
  const expected = new Map<string, number>();
  const teams = new Map<string, number>([ADMIN, ...scenario.gamers].map((id) => [id, 0]));
  for (const gamerId of scenario.gamers)
    for (const [index, above] of uplinesByWalking(gamerId).entries()) {
      add(expected, `${above} ${index + 1}`, 1);
      add(teams, above, 1);
    }
  const levels = await worker.db.query<{ level: string; gamers: number; cents: string }>(
    `SELECT gamer_id || ' ' || level AS level, gamers, winnings_cents AS cents FROM matrix_levels`,
  );
  const filled = levels.rows.filter(({ gamers }) => gamers > 0);
  expect(new Map(filled.map(({ level, gamers }) => [level, gamers]))).toEqual(expected);
  const emptied = levels.rows.filter(({ gamers }) => gamers === 0);
  for (const { level, cents } of emptied)
    expect([teams.has(level.split(' ')[0] as string), cents === '0']).toEqual([true, false]);
  const { rows } = await worker.db.query('SELECT id, team_size AS size FROM matrix_gamers');
  expect(new Map(rows.map(({ id, size }) => [id, size]))).toEqual(teams);
});

it('splits a gamer’s credits into levels and the direct bonus, to the cent', async () => {
  const { rows } = await worker.db.query<{ id: string; split: string; credited: string }>(
    `SELECT id, direct_bonus_cents + coalesce((SELECT sum(winnings_cents) FROM matrix_levels WHERE gamer_id = id), 0) AS split,
       coalesce((SELECT cents FROM balances WHERE account = 'gamer:' || id || ':winnings'), 0) AS credited
     FROM matrix_gamers`,
  );
  expect(rows.length).toBe(1 + scenario.gamers.length);
  expect(rows.filter(({ split, credited }) => split !== credited)).toEqual([]);
  expect(rows.some(({ credited }) => Number(credited) > 0)).toBe(true);
});

it('credits the direct bonus per token, to sponsors only', async () => {
  const expected = new Map<GamerId, number>();
  for (const { event } of scenario.log) {
    if (event.type !== 'TokenPurchased') continue;
    for (const { gamerId, direct } of event.data.allocations) {
      if (direct && scenario.gamers.includes(gamerId)) add(expected, gamerId, event.data.quantity);
    }
  }
  const { rows } = await worker.db.query('SELECT * FROM matrix_gamers WHERE direct_bonus_cents <> 0');
  expect(new Map(rows.map(({ id, direct_bonus_cents }) => [id, Number(direct_bonus_cents)]))).toEqual(expected);
});
