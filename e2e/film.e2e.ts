import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from '@playwright/test';
import { formatCents } from '../contracts/money.js';
import { FILM_SECONDS, FILM_TOKEN_SECONDS, filmFrame } from '../web/src/features/game/film.js';
import { clockText } from '../web/src/shared/format.js';

/* Draws the guide's film, with captions and poster, into web/public/guide. Needs ffmpeg. */

const FOLDER = 'web/public/guide';
const FONT = 'node_modules/@fontsource-variable/archivo/files/archivo-latin-wdth-normal.woff2';
const FRAMES_A_SECOND = 10;
const POSTER_SECOND = 12;

const CSS = `
  body { margin: 0; font: 26px Archivo; color: #cabdca }
  main { display: grid; align-content: space-between; justify-items: center; width: 960px; height: 540px; background: #1b131e }
  .live { background: radial-gradient(60% 90% at 50% 100%, rgb(255 182 92 / 0.3), transparent 75%), #1b131e }
  .won { background: radial-gradient(60% 90% at 50% 100%, rgb(127 227 183 / 0.28), transparent 75%), #1b131e }
  p { margin: 0 } h1 { margin: 24px 0 0; font: 600 26px Archivo; font-stretch: 78%; color: #f8f1e7 }
  .clock { font-size: 240px; font-weight: 640; font-stretch: 62%; line-height: 0.95; color: #ffb65c }
  .pregame .clock, .won .clock { color: #a898ab }
  .lamps { display: flex; gap: 10px; min-height: 76px }
  i { width: 54px; height: 76px; border-radius: 50% 50% 6px 6px / 38% 38% 6px 6px; background: linear-gradient(#fff8ea, #ffe3b4 40%, #ffb65c) }
  .out { background: none; box-shadow: inset 0 0 0 3px #7c5a36 }
  .feet { display: flex; justify-content: space-between; box-sizing: border-box; width: 100%; padding: 18px 36px; border-top: 3px solid #ffb65c; background: #1b131e }
  .won .feet { border-color: #7fe3b7 } b { font-weight: 600; color: #f8f1e7 } .won b { color: #7fe3b7 }`;

const STATUSES = { pregame: 'Game Starting Soon', live: 'LIVE GAME NOW ACTIVE', won: 'WINNER!' };

function pictureOf({ phase, clockSeconds, lastBuyer, jackpotCents }: ReturnType<typeof filmFrame>): string {
  const lamps = '<i></i>'.repeat(Math.ceil((clockSeconds ?? 0) / FILM_TOKEN_SECONDS)) || '<i class="out"></i>';
  return `<main class="${phase}"><h1>${STATUSES[phase]}</h1>
    <p class="clock">${clockSeconds === null ? '--:--' : clockText(clockSeconds)}</p><p class="lamps">${lamps}</p>
    <p class="feet"><span>Jackpot <b>${formatCents(jackpotCents)}</b></span>
    <span>${phase === 'won' ? 'Winner' : 'Last buyer'} <b>${lastBuyer ?? 'nobody yet'}</b></span></p></main>`;
}

const seconds = Array.from({ length: FILM_SECONDS * FRAMES_A_SECOND + 1 }, (_, index) => index / FRAMES_A_SECOND);

/** WebVTT: a cue for each sentence, between the status and the clock. */
function captions(): string {
  const texts = seconds.map((second) => filmFrame(second).caption);
  const starts = seconds.filter((_, index) => texts[index] !== texts[index - 1]);
  const time = (second: number) => `00:00:${second.toFixed(3).padStart(6, '0')}`;
  const cues = starts.map(
    (start, index) =>
      `${time(start)} --> ${time(starts[index + 1] ?? FILM_SECONDS)} line:13%\n${filmFrame(start).caption}\n`,
  );
  return ['WEBVTT\n', ...cues].join('\n');
}

test('draws the film of the guide', async ({ page }) => {
  test.skip(spawnSync('ffmpeg', ['-version']).error !== undefined, 'ffmpeg is not installed');
  const frames = await mkdtemp(join(tmpdir(), 'film-'));
  await mkdir(FOLDER, { recursive: true });
  const font = (await readFile(FONT)).toString('base64');
  const face = `font-family:Archivo;src:url(data:font/woff2;base64,${font});font-weight:100 900;font-stretch:62% 125%`;
  await page.setViewportSize({ width: 960, height: 540 });
  await page.setContent(`<style>@font-face{${face}}${CSS}</style><div></div>`);
  await page.evaluate(() => document.fonts.load('26px Archivo'));
  for (const [index, second] of seconds.entries()) {
    await page.locator('div').evaluate((div, picture) => (div.innerHTML = picture), pictureOf(filmFrame(second)));
    await page.screenshot({ path: join(frames, `${String(index).padStart(3, '0')}.png`) });
    if (second === POSTER_SECOND) await page.screenshot({ path: join(FOLDER, 'film.jpg'), quality: 80 });
  }
  await writeFile(join(FOLDER, 'film.vtt'), captions());
  const images = ['-y', '-framerate', `${FRAMES_A_SECOND}`, '-i', join(frames, '%03d.png'), '-pix_fmt', 'yuv420p'];
  const mp4 = ['-c:v', 'libx264', '-crf', '24', '-movflags', '+faststart', join(FOLDER, 'film.mp4')];
  const webm = ['-c:v', 'libvpx-vp9', '-crf', '34', '-b:v', '0', join(FOLDER, 'film.webm')];
  for (const output of [mp4, webm]) execFileSync('ffmpeg', [...images, ...output], { stdio: 'ignore' });
  await rm(frames, { recursive: true });
});
