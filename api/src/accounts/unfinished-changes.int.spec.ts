import { Ledger } from '../ledger/ledger.js';
import { StreamCommands } from '../ledger/stream-commands.js';
import { Unavailable } from '../platform/failures.js';
import { type Person, WholeApplication } from '../testing/whole-application.js';
import { AccountsStore } from './accounts.store.js';
import { UnfinishedChanges } from './unfinished-changes.js';

let application: WholeApplication;
let admin: Person;

beforeAll(async () => {
  application = await WholeApplication.start();
  admin = await application.admin();
});

afterEach(() => jest.restoreAllMocks());
afterAll(() => application.close());

const path = ({ id }: Person, action: string) => `/api/admin/mini/gamers/${id}/${action}`;
const account = ({ id }: Person) => application.api.app.get(AccountsStore).findById(id);
const isStaff = ({ id }: Person) => application.api.app.get(Ledger).decidedState.staff.has(id);
const finish = () => application.api.app.get(UnfinishedChanges).finish(0);

/** The next command on a gamer's stream gets no answer. @param isAppended whether its events reach the log all the same */
function loseNextAnswer({ isAppended }: { isAppended: boolean }): void {
  const streams = application.api.app.get(StreamCommands);
  const execute = streams.execute.bind(streams);
  jest.spyOn(streams, 'execute').mockImplementationOnce(async (command) => {
    if (isAppended) await execute(command);
    throw new Unavailable('the log did not confirm the command in time');
  });
}

describe('a change of an account without an answer of the log', () => {
  it('that did not reach the log leaves a gamer who can play', async () => {
    const bob = await application.register('bob');
    loseNextAnswer({ isAppended: false });
    const answer = await admin.visitor.post(path(bob, 'role'), { role: 'operator', powers: ['money'] });
    expect(answer.status).toBe(503);
    // The ledger made staff of the gamer first, and the row was rolled back.
    expect([isStaff(bob), (await account(bob))?.role]).toEqual([true, 'gamer']);
    await finish();
    expect([isStaff(bob), (await account(bob))?.role]).toEqual([false, 'gamer']);
  });

  it('that reached the log changes the row later', async () => {
    const alice = await application.register('alice');
    loseNextAnswer({ isAppended: true });
    const profile = { gamerTag: 'alice-renamed', email: 'renamed@example.com' };
    const before = await account(alice);
    expect((await admin.visitor.patch(path(alice, 'profile'), profile)).status).toBe(503);
    expect(await account(alice)).toMatchObject({ gamerTag: 'alice', email: before?.email });
    await finish();
    expect(await account(alice)).toMatchObject(profile);
  });

  it('is not finished once the same change was sent again', async () => {
    const carol = await application.register('carol');
    loseNextAnswer({ isAppended: false });
    const role = { role: 'auditor' };
    expect((await admin.visitor.post(path(carol, 'role'), role)).status).toBe(503);
    expect((await admin.visitor.post(path(carol, 'role'), role)).status).toBe(200);
    await finish();
    expect([isStaff(carol), (await account(carol))?.role]).toEqual([true, 'auditor']);
  });
});
