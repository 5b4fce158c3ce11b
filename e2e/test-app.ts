import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Page,
} from '@playwright/test';
import { TestPushService } from '../api/test/push-service.js';
import type { GameState, StateResponse } from '../contracts/http/game.js';
import { TOKEN_PRICE_CENTS } from '../contracts/limits.js';
import { builtFile } from '../embedded/launcher/built-files.js';
import type { Application } from '../embedded/launcher/launch.js';
import { programOf } from '../embedded/launcher/testing/program.js';
import { anyFreePort } from '../embedded/postgres/free-port.js';
import { HttpGamer } from './http-gamer.js';

export const PASSWORD = 'a long pass phrase';
/** For tests of outages, of rare states and of every screen size: campaigns run them, `npm test` does not. */
export const CAMPAIGN = { tag: '@campaign' };
export const DESKTOP = { width: 1280, height: 900 };

/** The application as `npm start` runs it: one process, which starts the others. */
export interface StartedApplication extends Pick<Application, 'url' | 'databaseUrl' | 'eventStoreUrl' | 'stop'> {
  /** The admin's generated password. */
  adminPassword: string;
  /** Page and API of the practice payment gateway. */
  paymentsUrl: string;
  /** Page of the practice mail box. */
  mailUrl: string;
  practiceToken: string;
  /** kill -9; the processes it started end with it. */
  kill(): Promise<void>;
}

interface Timers {
  pregame: number;
  live: number;
  downtime: number;
  extension: number;
}

/** A running application. Its admin prepares data over HTTP, so that tests only click the parts they test. */
export class TestApp {
  private readonly contexts: BrowserContext[] = [];
  dataDir = '';
  /** Set when the application has started. */
  application = {} as StartedApplication;
  admin = {} as HttpGamer;
  pushService = {} as TestPushService;

  constructor(private readonly env: NodeJS.ProcessEnv = {}) {}

  get openContexts(): BrowserContext[] {
    return [...this.contexts];
  }

  async start(name: string): Promise<void> {
    this.pushService = await TestPushService.start();
    this.env.PUSH_SERVICES = this.pushService.origin;
    this.dataDir = await mkdtemp(join(tmpdir(), `omni-${name}-`));
    this.application = await startApplication(this.dataDir, await anyFreePort(), this.env);
    this.admin = await HttpGamer.logIn(this.url, 'admin', this.application.adminPassword);
  }

  get url(): string {
    return this.application.url;
  }

  /** Starts the killed application again, on the same data and port. */
  async startAgain(): Promise<void> {
    this.application = await startApplication(this.dataDir, Number(new URL(this.url).port), this.env);
  }

  /** Closes all pages but those of the file: they would run, and look for the server, until the worker's browser ends. */
  async closePages(ofFile: readonly BrowserContext[] = []): Promise<void> {
    const closing = this.contexts.filter((context) => !ofFile.includes(context));
    this.contexts.splice(0, this.contexts.length, ...ofFile);
    for (const context of closing) await context.close();
  }

  async close(): Promise<void> {
    await this.closePages();
    await this.application.stop?.();
    await this.pushService.close?.();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  async asAdmin(path: string, body: object = {}): Promise<void> {
    let response = await this.admin.post(`${this.url}/api/admin/${path}`, body);
    // Ten minutes after the login.
    if (response.status === 403) {
      await this.admin.post(`${this.url}/api/staff/step-up`, { password: this.application.adminPassword });
      response = await this.admin.post(`${this.url}/api/admin/${path}`, body);
    }
    expect(response.status, JSON.stringify(response.body)).toBe(200);
  }

  /** Registers a gamer whose balance pays for `tokens`, with `winningsCents`. */
  async gamer(
    gamerTag: string,
    { tokens = 0, winningsCents = 0, isDepositor = false, referralCode = null as string | null } = {},
  ): Promise<HttpGamer> {
    const gamer = await HttpGamer.register(this.url, gamerTag, PASSWORD, referralCode);
    const adjustment = {
      purchaseBalanceCents: tokens * TOKEN_PRICE_CENTS,
      totalWinningsCents: winningsCents,
      reason: 'a welcome gift',
    };
    if (tokens > 0 || winningsCents > 0) await this.asAdmin(`mini/gamers/${gamer.id}/adjust`, adjustment);
    if (isDepositor) await this.asAdmin(`mini/gamers/${gamer.id}/depositor-status`, { isDepositor });
    return gamer;
  }

  /** Settles the payouts, deposits and tickets that earlier files left in the queues of the admin panel. */
  async emptyQueues(): Promise<void> {
    await this.admin.post(`${this.url}/api/staff/step-up`, { password: this.application.adminPassword });
    const waiting = (path: string) => this.admin.get<{ id: string }[]>(`${this.url}/api/admin/${path}`);
    for (const [path, status] of [
      ['withdrawals?listed=pending', 'returned'],
      ['support/tickets?status=open', 'closed'],
    ] as const)
      for (const { id } of await waiting(path))
        await this.admin.put(`${this.url}/api/admin/${path.split('?')[0]}/${id}`, { status });
    for (const { id } of await waiting('deposits/pending')) await this.asAdmin('reject-deposit', { depositId: id });
  }

  /** Resets the game to idle, in any phase. */
  async resetGame(): Promise<void> {
    if ((await this.game()).gameState === 'idle') return;
    await this.asAdmin('game/reset', { reason: 'the next test' });
    // The tables follow a moment later; until then the state would still show the former round.
    await this.until(({ gameState }) => gameState === 'idle');
  }

  async setTimers({ pregame, live, downtime, extension }: Timers): Promise<void> {
    await this.asAdmin('timers', {
      pregameDurationSeconds: pregame,
      liveDurationSeconds: live,
      downtimeDurationSeconds: downtime,
      tokenExtensionSeconds: extension,
    });
  }

  /** Starts a round that is live for so many seconds, after a second of pregame; each token adds `extension` more. */
  async startShortRound(live: number, extension = 1): Promise<void> {
    await this.setTimers({ pregame: 1, live, downtime: 3_600, extension });
    await this.asAdmin('game/start');
    await this.until(({ gameState, isActive }) => gameState === 'live' && isActive);
  }

  async game(): Promise<GameState> {
    return ((await (await fetch(`${this.url}/api/state`)).json()) as StateResponse).currentGame;
  }

  /** The text of the newest mail to an address with this subject, once there is one. */
  async mailTo(address: string, subject: string): Promise<string> {
    const { mailUrl, practiceToken } = this.application;
    const find = async () => {
      const response = await fetch(`${mailUrl}/messages`, { headers: { authorization: `Bearer ${practiceToken}` } });
      const mails = (await response.json()) as { to: string[]; subject: string; text: string }[];
      return mails.find((mail) => mail.to.includes(address) && mail.subject === subject);
    };
    await expect.poll(find).toBeTruthy();
    return (await find())?.text ?? '';
  }

  async until(condition: (game: GameState) => boolean): Promise<void> {
    while (!condition(await this.game())) await sleep(50);
  }

  /** Opens the main page in a new browser context, logged in as `gamer` when given. */
  async page(browser: Browser, gamer?: HttpGamer): Promise<Page> {
    const page = await this.blankPage(browser, gamer);
    await page.goto('/');
    // The page is inert until the code is loaded.
    await page.locator('#root > [inert]').waitFor({ state: 'detached' });
    return page;
  }

  /** Opens an empty page in a new browser context, logged in as `gamer` when given. */
  async blankPage(browser: Browser, gamer?: HttpGamer, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({
      viewport: DESKTOP,
      baseURL: this.url,
      // Turns animations off, which the tests' browser draws without a graphics card.
      reducedMotion: 'reduce',
      // A service worker would answer requests in place of the tests' routes.
      serviceWorkers: 'block',
      ...options,
    });
    this.contexts.push(context);
    if (gamer) await gamer.enterWith(context, this.url);
    return context.newPage();
  }
}

/** The gateway may pay payouts, and the ledger has the name of a log that goes on after a loss. */
const SHARED_SETTINGS = { PAYOUTS_BY_GATEWAY: 'yes', LEDGER_NAME: 'play.example/ledger-abababab' };

/** Tests with an application that the files of one worker share, because its start takes seconds. */
export const test = base.extend<object, { sharedApp: TestApp }>({
  sharedApp: [
    async ({ browserName: _unused }, use) => {
      const app = new TestApp(SHARED_SETTINGS);
      await app.start('shared');
      await use(app);
      await app.close();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
});

/**
 * The application that the files of one worker share, for the tests of a file. Each file has its own gamers, asserts on
 * their rows only, and begins with the game idle.
 *
 * @param prepare runs before the file's tests; its pages stay open until the file's end
 */
export function sharedApp(prepare: (browser: Browser) => unknown = () => undefined): TestApp {
  const app = new TestApp();
  let ofFile: BrowserContext[] = [];
  test.beforeAll(async ({ sharedApp: shared, browser }) => {
    Object.assign(app, shared);
    await app.resetGame();
    await prepare(browser);
    ofFile = app.openContexts;
  });
  test.afterEach(() => app.closePages(ofFile));
  test.afterAll(() => app.closePages());
  return app;
}

/** An application of the file's own, for tests that kill it, need it empty or set it up otherwise. `test` is then Playwright's own. */
export function ownApp(
  name: string,
  prepare: (browser: Browser) => unknown = () => undefined,
  env: NodeJS.ProcessEnv = {},
): TestApp {
  const app = new TestApp(env);
  let ofFile: BrowserContext[] = [];
  base.beforeAll(async ({ browser }) => {
    await app.start(name);
    await prepare(browser);
    ofFile = app.openContexts;
  });
  base.afterEach(() => app.closePages(ofFile));
  base.afterAll(() => app.close());
  return app;
}

/** Two applications that start at the same time would choose the same usual ports. */
const ANY_PORTS = { PAYMENTS_PORT: '0', MAIL_WEB_PORT: '0', RATE_LIMITS: 'off', ENDS_WITH_INPUT: '1' };

async function startApplication(dataDir: string, port: number, env: NodeJS.ProcessEnv): Promise<StartedApplication> {
  const child = spawn(process.execPath, [builtFile('embedded/launcher/main.js')], {
    env: { ...process.env, ...env, DATA_DIR: dataDir, PORT: String(port), ...ANY_PORTS },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  await programOf(child).untilPrinted(/Ctrl-C stops it/);
  return {
    ...JSON.parse(await readFile(join(dataDir, 'running.json'), 'utf8')),
    adminPassword: (await readFile(join(dataDir, 'first-admin-password'), 'utf8')).trim(),
    kill: () => end(child, 'SIGKILL'),
    stop: () => end(child, 'SIGTERM'),
  };
}

/** Sends the signal and waits until the process has ended. */
export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await ended;
}
