import type { DirectReferralsResponse, GenealogyResponse } from '../../../contracts/http/gamers.js';
import { DIRECT_REFERRALS_LISTED } from '../../../contracts/limits.js';
import { AccountsStore } from '../accounts/accounts.store.js';
import { type Person, readAfter, WholeApplication } from '../testing/whole-application.js';

// Generous, for slow machines.
jest.setTimeout(120_000);

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
