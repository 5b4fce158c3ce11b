import type {
  DirectReferralsResponse,
  FoundInTreeResponse,
  GenealogyResponse,
  LevelGamersResponse,
} from '../../../../contracts/http/matrix.js';
import { LEVEL_CAPACITIES, MAX_LISTED_REFERRALS } from '../../../../contracts/limits.js';
import { type Person, readAfter, WholeApplication } from '../../../test/whole-application.js';
import { Ledger } from '../../ledger/ledger.js';
import { LISTED_PER_LEVEL } from './matrix.queries.js';

const REFERRALS = MAX_LISTED_REFERRALS + 3;

const application = WholeApplication.forTests();
const admin = application.adminForTests();
const sponsor = application.gamerForTests('sponsor');
const tags = Array.from({ length: REFERRALS }, (_, index) => `referral-${index + 1}`);

beforeAll(async () => {
  for (const tag of tags) await application.register(tag, sponsor.refCode);
});

it('lists direct referrals in the genealogy up to a limit, with their true number, and all of them in pages', async () => {
  const marker = await admin.visitor.post('/api/admin/game/start', {});
  const genealogy = await readAfter<GenealogyResponse>(sponsor.visitor, marker, `/api/genealogy/${sponsor.id}`);
  expect(genealogy.directReferralCount).toBe(REFERRALS);
  expect(genealogy.directReferrals.map(({ username }) => username)).toEqual(tags.slice(0, MAX_LISTED_REFERRALS));
  const path = `/api/genealogy/${sponsor.id}/direct-referrals?pageSize=20&page=`;
  const page = async (number: number) => (await sponsor.visitor.get<DirectReferralsResponse>(path + number)).body;
  const [first, second] = [await page(1), await page(2)];
  expect([...first.gamers, ...second.gamers].map(({ username }) => username)).toEqual(tags);
  expect(await page(3)).toEqual({ gamers: [], total: REFERRALS });
});

describe('the search in the tree', () => {
  const find = async (tag: string) =>
    (await sponsor.visitor.get<FoundInTreeResponse>(`/api/genealogy/${sponsor.id}/find?tag=${encodeURIComponent(tag)}`))
      .body;

  it('finds gamers by a part of their tag, the nearest level first', async () => {
    const { gamers, total } = await find('REFERRAL-1');
    expect(gamers.slice(0, 2).map(({ username, level }) => [username, level])).toEqual([
      ['referral-1', 1],
      ['referral-10', 2],
    ]);
    expect(gamers.map(({ level }) => level)).toEqual(gamers.map(({ level }) => level).sort());
    expect(gamers).toHaveLength(Math.min(total, 20));
  });

  it('takes wildcards literally, and finds nobody without a tag or outside the downline', async () => {
    for (const tag of ['%', '_', '  ', 'sponsor']) expect(await find(tag)).toEqual({ gamers: [], total: 0 });
  });
});

describe('a level with more gamers than the genealogy lists', () => {
  const LEVEL = 6;
  const ABOVE = LEVEL_CAPACITIES.slice(0, LEVEL - 1).reduce((sum, capacity) => sum + capacity);
  const ON_LEVEL = LISTED_PER_LEVEL + 7;
  let root: Person;
  /** Gamers in the order of their places, left to right: a matrix fills breadth-first. */
  const idsOnLevel: string[] = [];

  const level = (number: number | string, query = '') =>
    root.visitor.get<LevelGamersResponse>(`/api/genealogy/${root.id}/levels/${number}${query}`);

  beforeAll(async () => {
    root = await application.register('deep-root');
    const ledger = application.api.app.get(Ledger);
    // The gamers have no accounts, because hashing six hundred passwords would take minutes.
    const ids = Array.from({ length: ABOVE + ON_LEVEL }, (_, index) => `below-${index + 1}`);
    const enrol = (gamerId: string) => {
      const metadata = { actor: { id: gamerId, role: 'gamer' } as const, commandId: `enrol-${gamerId}` };
      return ledger.execute({ type: 'EnrolGamer', gamerId, sponsorId: root.id }, metadata);
    };
    // Commands are decided in the order in which they are sent.
    await Promise.all(ids.map(enrol));
    idsOnLevel.push(...ids.slice(ABOVE));
  });

  it('comes with the genealogy up to the bound, with its true number', async () => {
    const marker = await admin.visitor.post('/api/admin/game/reset', {});
    const genealogy = await readAfter<GenealogyResponse>(root.visitor, marker, `/api/genealogy/${root.id}`);
    expect(genealogy.levelCounts[LEVEL]).toBe(ON_LEVEL);
    expect(genealogy.levels[LEVEL].map(({ id }) => id)).toEqual(idsOnLevel.slice(0, LISTED_PER_LEVEL));
  });

  it('is listed whole in pages, left to right', async () => {
    const pages = await Promise.all([1, 2, 3, 4].map((page) => level(LEVEL, `?page=${page}&pageSize=100`)));
    expect(pages.map(({ body }) => body.total)).toEqual([ON_LEVEL, ON_LEVEL, ON_LEVEL, ON_LEVEL]);
    expect(pages.flatMap(({ body }) => body.gamers).map(({ id }) => id)).toEqual(idsOnLevel);
    expect(pages[0]?.body.gamers[0]).toEqual({
      id: idsOnLevel[0],
      username: 'deleted-gamer',
      isDirect: true,
      teamSize: 0,
    });
  });

  it('is one of levels 1 to 7', async () => {
    expect((await level(7)).body).toEqual({ gamers: [], total: 0 });
    for (const number of [0, 8, '06']) expect((await level(number)).status).toBe(404);
  });
});
