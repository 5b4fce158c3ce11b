import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test';
import type { GameState, StateResponse } from '../contracts/http/game.js';
import { TOKEN_PRICE_CENTS } from '../contracts/limits.js';
import { anyFreePort } from '../embedded/postgres/free-port.js';
import { GamerByHttp } from './gamers-by-http.js';
import type { Timers } from './people.js';
import { type StartedApplication, startApplication } from './started-application.js';

export const PASSWORD = 'a long pass phrase';
export const DESK = { width: 1280, height: 900 };

/** A running application of the walk's own, set by its admin over HTTP, so that the walk clicks only what it is about. */
export class Scene {
  private readonly contexts: BrowserContext[] = [];

  private constructor(
    readonly dataDir: string,
    public application: StartedApplication,
    readonly admin: GamerByHttp,
  ) {}

  static async open(name: string): Promise<Scene> {
    const dataDir = await mkdtemp(join(tmpdir(), `omni-${name}-`));
    const application = await startApplication(dataDir, await anyFreePort());
    const admin = await GamerByHttp.logIn(application.url, 'admin', application.adminPassword ?? '');
    return new Scene(dataDir, application, admin);
  }

  get url(): string {
    return this.application.url;
  }

  /** kill -9 of everything at once. */
  kill(): Promise<void> {
    return this.application.kill();
  }

  /** What was killed, on the same data at the same address. */
  async startAgain(): Promise<void> {
    this.application = await startApplication(this.dataDir, Number(new URL(this.url).port));
  }

  /** After each test: a page that nobody looks at still counts its seconds. */
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

  /** A gamer whose balance pays for `tokens`, with `winningsCents`. */
  async gamer(
    gamerTag: string,
    { tokens = 0, winningsCents = 0, isDepositor = false, referralCode = null as string | null } = {},
  ): Promise<GamerByHttp> {
    const gamer = await GamerByHttp.register(this.url, gamerTag, { password: PASSWORD, referralCode });
    const adjustment = { purchaseBalanceCents: tokens * TOKEN_PRICE_CENTS, totalWinningsCents: winningsCents };
    if (tokens > 0 || winningsCents > 0) await this.asAdmin(`mini/gamers/${gamer.id}/adjust`, adjustment);
    if (isDepositor) await this.asAdmin(`mini/gamers/${gamer.id}/depositor-status`, { isDepositor });
    return gamer;
  }

  /** Back to idle, whatever was played. */
  async clearStage(): Promise<void> {
    if ((await this.game()).gameState !== 'idle') await this.asAdmin('game/reset', { reason: 'the next scene' });
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

  /** A new browser's page, at home; logged in when a gamer is given. */
  async page(browser: Browser, gamer?: GamerByHttp): Promise<Page> {
    const page = await this.blankPage(browser, gamer);
    await page.goto('/');
    // Until its code is here, what the page shows does not answer.
    await page.locator('#root > [inert]').waitFor({ state: 'detached' });
    return page;
  }

  /** The same, to be made ready before it goes anywhere. */
  async blankPage(browser: Browser, gamer?: GamerByHttp): Promise<Page> {
    const context = await browser.newContext({ viewport: DESK, baseURL: this.url });
    this.contexts.push(context);
    if (gamer) await gamer.enterWith(context, this.url);
    return context.newPage();
  }
}
