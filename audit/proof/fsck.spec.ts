import { serveLog, TestLog, type TestSite } from '../../contracts/testing/test-log.js';
import { fsck } from './fsck.js';

let site: TestSite;

beforeAll(async () => {
  site = await serveLog(await TestLog.create(600));
});
afterAll(() => site.close());

async function runFsck(key: string | null = null): Promise<{ isRight: boolean; lines: string[] }> {
  const lines: string[] = [];
  const isRight = await fsck(`${site.url}/`, key, (line) => lines.push(line));
  return { isRight, lines };
}

it('finds a site of 70,000 entries right, and says what it checked', async () => {
  const small = site.log;
  site.log = await TestLog.create(70_000);
  const { isRight, lines } = await runFsck(site.log.signer.key.text);
  site.log = small;
  expect(lines).toEqual([
    `  checked: the head of 70000 events of play.example/ledger is signed by ${site.log.signer.key.text}`,
    '  checked: it has 0 further signatures',
    '  checked: 274 bundles of entries and 274 tiles of level 0',
    expect.stringMatching(/ {2}checked: the entries have the root [0-9a-f]{64}, as the head says/),
    '  checked: 2 tiles of level 1',
    '  checked: 1 tiles of level 2',
    'Everything is as it must be.',
  ]);
  expect(isRight).toBe(true);
});

const forkedHead = async (): Promise<string> => (await site.log.fork(7)).head();

it.each<[string, string, string | null | typeof forkedHead, string]>([
  ['a head of another history', 'checkpoint', forkedHead, 'but the head has'],
  ['a changed leaf', 'tile/0/001', 'x'.repeat(8_192), 'tile/0/001 has other hashes'],
  ['a changed node', 'tile/1/000.p/2', 'x'.repeat(64), 'tile/1/000.p/2 has other hashes'],
  ['a cut bundle', 'tile/entries/002.p/88', '\0', 'is not a bundle of 88 entries'],
  ['a withheld tile', 'tile/1/000.p/2', null, 'tile/1/000.p/2 was answered with 404'],
  ['a page in place of a tile', 'tile/0/000', '<html>'.repeat(9_000), 'more than 8192 bytes'],
  ['a withheld head', 'checkpoint', null, 'checkpoint was answered with 404'],
  ['a page in place of the head', 'checkpoint', '<html>', 'this is not a signed note'],
])('finds %s', async (_, changed, other, message) => {
  const { file } = site.log;
  const response = typeof other === 'function' ? await other() : other;
  const spy = jest
    .spyOn(site.log, 'file')
    .mockImplementation(async (path) => (path === changed ? response : file.call(site.log, path)) as never);
  const { isRight, lines } = await runFsck();
  spy.mockRestore();
  expect(lines.join('\n')).toContain(message);
  expect(isRight).toBe(false);
});

it('finds a key that is not the site’s', async () => {
  const other = (await TestLog.create(0, 'other.example/ledger')).signer.key.text;
  const { lines } = await runFsck(other);
  expect(lines.slice(-3)).toEqual([
    `  WRONG: the site does not name the key ${other}`,
    `  WRONG: the head of 600 events of play.example/ledger is not signed by ${other}`,
    'Findings: 2.',
  ]);
});
