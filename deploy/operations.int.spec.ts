import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { WholeApplication } from '../api/test/whole-application.js';
import { projectRoot, textOf } from './testing/deployment-files.js';

const page = textOf('docs/operations.md');
const linesOf = (language: string): string[] =>
  [...page.matchAll(new RegExp(`^ *\`\`\`${language}\n([\\s\\S]*?)^ *\`\`\``, 'gm'))].flatMap(([, block = '']) =>
    block
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  );

/** Programs that this test cannot run: they need an engine, a cluster or a change of the folder. */
const ELSEWHERE = /^(docker|kubectl|helm|cp|sh deploy\/pin-images.sh)\b/;

const application = WholeApplication.forTests();
const { visitor: admin } = application.adminForTests();
const gamer = application.gamerForTests('operated', 300);

beforeAll(async () => {
  await admin.post('/api/admin/game/start-live');
  await buy();
});

async function buy(): Promise<void> {
  const { status } = await gamer.visitor.post('/api/buy-from-balance', { quantity: 2, userId: gamer.id });
  expect(status).toBe(200);
}

const runnable = linesOf('sh').filter((line) => !ELSEWHERE.test(line));

it('finds the commands of the page', () => {
  expect(runnable.length).toBeGreaterThanOrEqual(4);
});

it.each(runnable)('`%s` works as written, while the application runs', async (line) => {
  const { databaseUrl: DATABASE_URL, eventStoreUrl: EVENT_STORE_URL } = application.stores;
  // The command must not inherit Jest's environment, such as NODE_ENV.
  const { PATH = '' } = process.env;
  const env = { PATH, DATABASE_URL, EVENT_STORE_URL };
  const { stdout } = await promisify(execFile)('sh', ['-euc', line], { cwd: projectRoot, env });
  expect(stdout).not.toBe('');
});
