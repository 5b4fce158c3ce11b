import type {
  DirectReferralsResponse,
  FoundInTreeResponse,
  GenealogyResponse,
} from '../../../contracts/http/gamers.js';
import { DIRECT_REFERRALS_LISTED } from '../../../contracts/limits.js';
import { AccountsStore } from '../accounts/accounts.store.js';
import { type Person, readAfter, WholeApplication } from '../testing/whole-application.js';

const REFERRALS = DIRECT_REFERRALS_LISTED + 3;

let application: WholeApplication;
let admin: Person;
let sponsor: Person;
const tags: string[] = [];

beforeAll(async () => {
  application = await WholeApplication.start();
  admin = await application.admin();
  sponsor = await application.register('sponsor');
  const account = await application.api.app.get(AccountsStore).findById(sponsor.id);
  for (let number = 1; number <= REFERRALS; number += 1) {
    const tag = `referral-${number}`;
    await application.register(tag, account?.refCode ?? null);
    tags.push(tag);
  }
});

afterAll(() => application.close());

describe('direct referrals', () => {
  it('come with the genealogy up to a limit, with their true number', async () => {
    const marker = await admin.visitor.post('/api/admin/game/start', {});
    const genealogy = await readAfter<GenealogyResponse>(sponsor.visitor, marker, `/api/genealogy/${sponsor.id}`);
    expect(genealogy.directReferralCount).toBe(REFERRALS);
    expect(genealogy.directReferrals.map(({ username }) => username)).toEqual(tags.slice(0, DIRECT_REFERRALS_LISTED));
  });

  it('are all listed in pages, in the order of joining', async () => {
    const page = async (number: number) =>
      (
        await sponsor.visitor.get<DirectReferralsResponse>(
          `/api/genealogy/${sponsor.id}/direct-referrals?page=${number}&pageSize=20`,
        )
      ).body;
    const [first, second, third] = [await page(1), await page(2), await page(3)];
    expect([first.total, second.total, third.total]).toEqual([REFERRALS, REFERRALS, REFERRALS]);
    expect([...first.gamers, ...second.gamers].map(({ username }) => username)).toEqual(tags);
    expect(third.gamers).toEqual([]);
  });
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

  it('takes wildcards literally, and finds nobody without a tag', async () => {
    for (const tag of ['%', '_', '', '  ']) expect(await find(tag)).toEqual({ gamers: [], total: 0 });
  });

  it('does not leave the downline', async () => {
    expect((await find('sponsor')).total).toBe(0);
    const stranger = await application.register('stranger');
    expect((await stranger.visitor.get(`/api/genealogy/${sponsor.id}/find?tag=referral`)).status).toBe(403);
  });
});
