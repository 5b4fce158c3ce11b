import type { GamerSession } from '../../../../contracts/http/gamers.js';
import { EventLog } from '../../../../event-log/event-log.js';
import { UnknownOutcome } from '../../../../event-log/event-log.types.js';
import { Visitor } from '../../../test/visitor.js';
import { WholeApplication } from '../../../test/whole-application.js';
import { Ledger } from '../../ledger/ledger.js';
import { Unavailable } from '../../platform/failures.js';
import { AccountsStore } from './accounts.store.js';
import { Enrolment } from './enrolment.store.js';
import { GamerLog } from './gamer-log.js';

const PASSWORD = 'quite unusual';

const application = WholeApplication.forTests({}, { worker: false });
const { api } = application;

afterEach(() => jest.restoreAllMocks());

const gone = () => new Unavailable('gone, for the test');

/** Interruptions of a registration, from its first step to its last. */
const interruptions: [string, () => void][] = [
  [
    'before the log has its event',
    () => jest.spyOn(api.app.get(GamerLog), 'recordRegistration').mockRejectedValueOnce(gone()),
  ],
  ['before the ledger has its event', () => jest.spyOn(api.app.get(Ledger), 'execute').mockRejectedValueOnce(gone())],
  ['before it is marked as done', () => jest.spyOn(api.app.get(AccountsStore), 'set').mockRejectedValueOnce(gone())],
];

describe.each(interruptions)('a registration interrupted %s', (when, interrupt) => {
  const tag = (use: string) => `${use}_${interruptions.findIndex(([name]) => name === when)}`;

  async function interrupted(username: string): Promise<object> {
    const form = { username, email: `${username}@example.com`, password: PASSWORD };
    interrupt();
    const answer = await new Visitor(api.url).post('/api/register', form);
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('1');
    return form;
  }

  it('is completed when the gamer logs in', async () => {
    const username = tag('login');
    await interrupted(username);
    const answer = await new Visitor(api.url).post<GamerSession>('/api/login', { username, password: PASSWORD });
    expect(answer.status).toBe(200);
    await expectOneOf(username);
  });

  it('is completed when the same person registers again, but not another person', async () => {
    const username = tag('again');
    const form = await interrupted(username);
    const other = await new Visitor(api.url).post('/api/register', { ...form, password: 'guessed words' });
    expect(other).toMatchObject({ status: 400, body: { error: 'This GamerTag is already taken' } });
    expect(await new Visitor(api.url).post('/api/register', form)).toMatchObject({ status: 201 });
    await expectOneOf(username);
  });

  it('is completed by the sweep', async () => {
    const username = tag('sweep');
    await interrupted(username);
    await api.app.get(Enrolment).sweep();
    await expectOneOf(username);
  });
});

it('completes a registration whose append has an unknown outcome', async () => {
  const log = api.app.get(EventLog);
  const append = log.append.bind(log);
  jest.spyOn(log, 'append').mockImplementationOnce(async (...what) => {
    await append(...what);
    throw new UnknownOutcome('no answer, for the test');
  });
  const form = { username: 'unknown_end', email: 'unknown@example.com', password: PASSWORD };
  expect(await new Visitor(api.url).post('/api/register', form)).toMatchObject({ status: 201 });
  await expectOneOf('unknown_end');
});

it('enrols a sponsor with an interrupted registration before the referred gamer', async () => {
  jest.spyOn(api.app.get(Ledger), 'execute').mockRejectedValueOnce(gone());
  const form = { username: 'sponsor', email: 'sponsor@example.com', password: PASSWORD };
  expect((await new Visitor(api.url).post('/api/register', form)).status).toBe(503);
  const sponsor = await api.app.get(AccountsStore).findByTag('sponsor');

  const referred = {
    username: 'referred',
    email: 'referred@example.com',
    password: PASSWORD,
    referralCode: sponsor?.refCode,
  };
  expect(await new Visitor(api.url).post('/api/register', referred)).toMatchObject({ status: 201 });
  await expectOneOf('sponsor');
  await expectOneOf('referred');
});

/** Expects one account, registered and enrolled once, that can log in. */
async function expectOneOf(username: string): Promise<void> {
  const account = await api.app.get(AccountsStore).findByTag(username);
  expect(account).toMatchObject({ gamerTag: username, enrolled: true });
  const own = await application.eventsOf(`gamer-${account?.gamerId}`);
  expect(own.map(({ event }) => event.type)).toEqual(['GamerRegistered']);
  const places = (await application.eventsOf('ledger')).filter(
    ({ event }) => event.type === 'GamerEnrolled' && event.data.gamerId === account?.gamerId,
  );
  expect(places).toHaveLength(1);
  const login = await new Visitor(api.url).post('/api/login', { username, password: PASSWORD });
  expect(login.status).toBe(200);
}
