import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test';
import type { GameState, StateResponse } from '../contracts/http/game.js';
import { TOKEN_PRICE_CENTS } from '../contracts/limits.js';
import { anyFreePort } from '../embedded/postgres/free-port.js';
import { type StartedApplication, startApplication } from './application.js';
import type { Timers } from './game-page.js';
import { HttpGamer } from './http-gamer.js';

export const PASSWORD = 'a long pass phrase';
export const DESKTOP = { width: 1280, height: 900 };

/** A running application for one test file. Its admin prepares data over HTTP, so that tests only click the parts they test. */
export class TestApp {
  private readonly contexts: BrowserContext[] = [];

  private constructor(
    readonly dataDir: string,
    public application: StartedApplication,
    readonly admin: HttpGamer,
  ) {}

  static async open(name: string): Promise<TestApp> {
    const dataDir = await mkdtemp(join(tmpdir(), `omni-${name}-`));
    const application = await startApplication(dataDir, await anyFreePort());
    const admin = await HttpGamer.logIn(application.url, 'admin', application.adminPassword ?? '');
    return new TestApp(dataDir, application, admin);
  }

  get url(): string {
    return this.application.url;
  }

  kill(): Promise<void> {
    return this.application.kill();
  }

  /** Starts the killed application again, on the same data and port. */
  async startAgain(): Promise<void> {
    this.application = await startApplication(this.dataDir, Number(new URL(this.url).port));
  }

  /** Closes the pages of a test, which would otherwise keep running. */
  async closePages(): Promise<void> {
    for (const context of this.contexts.splice(0)) await context.close();
  }

  async close(): Promise<void> {
    await this.application.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  async asAdmin(path: string, body: object = {}): Promise<void> {
    const answer = await this.admin.post(`${this.url}/api/admin/${path}`, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  }

  /** Registers a gamer whose balance pays for `tokens`, with `winningsCents`. */
  async gamer(
    gamerTag: string,
    { tokens = 0, winningsCents = 0, isDepositor = false, referralCode = null as string | null } = {},
  ): Promise<HttpGamer> {
    const gamer = await HttpGamer.register(this.url, gamerTag, { password: PASSWORD, referralCode });
    const adjustment = { purchaseBalanceCents: tokens * TOKEN_PRICE_CENTS, totalWinningsCents: winningsCents };
    if (tokens > 0 || winningsCents > 0) await this.asAdmin(`mini/gamers/${gamer.id}/adjust`, adjustment);
    if (isDepositor) await this.asAdmin(`mini/gamers/${gamer.id}/depositor-status`, { isDepositor });
    return gamer;
  }

  /** Resets the game to idle, in any phase. */
  async resetGame(): Promise<void> {
    if ((await this.game()).gameState !== 'idle') await this.asAdmin('game/reset', { reason: 'the next test' });
  }

  async setTimers({ pregame, live, downtime, extension }: Timers): Promise<void> {
    await this.asAdmin('timers', {
      pregameDurationSeconds: pregame,
      liveDurationSeconds: live,
      downtimeDurationSeconds: downtime,
      tokenExtensionSeconds: extension,
    });
  }

  async game(): Promise<GameState> {
    return ((await (await fetch(`${this.url}/api/state`)).json()) as StateResponse).currentGame;
  }

  async until(condition: (game: GameState) => boolean): Promise<void> {
    while (!condition(await this.game())) await sleep(50);
  }

  /** Opens the main page in a new browser context, logged in as `gamer` when given. */
  async page(browser: Browser, gamer?: HttpGamer): Promise<Page> {
    const page = await this.blankPage(browser, gamer);
    await page.goto('/');
    // Until the code is loaded, the page is inert.
    await page.locator('#root > [inert]').waitFor({ state: 'detached' });
    return page;
  }

  /** Opens an empty page in a new browser context, logged in as `gamer` when given. */
  async blankPage(browser: Browser, gamer?: HttpGamer): Promise<Page> {
    // Without animations, which the tests' browser draws without a graphics card.
    const options = { viewport: DESKTOP, baseURL: this.url, reducedMotion: 'reduce' } as const;
    const context = await browser.newContext(options);
    this.contexts.push(context);
    if (gamer) await gamer.enterWith(context, this.url);
    return context.newPage();
  }
}
