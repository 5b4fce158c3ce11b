import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@playwright/test';
import { Client } from 'pg';
import { dayInNewYork, daysUntil } from '../../contracts/new-york.js';
import type { HttpGamer } from '../http-gamer.js';
import { hurryPayments, orderDeposit, payAs, unknownPayment } from '../payments.js';
import type { TestApp } from '../test-app.js';

const BITCOIN = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT';
const DOGECOIN = 'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L';

/** The gamers in the pictures, and their sponsors. */
const GAMERS: [gamerTag: string, sponsor: string | null][] = [
  ['ada_west', null],
  ['Kestrel', 'ada_west'],
  ['nova_kid', 'ada_west'],
  ['lowtide', 'ada_west'],
  ['Mirela-88', 'Kestrel'],
  ['jo_harbor', 'Kestrel'],
  ['Tamsin', 'nova_kid'],
  ['big_owl', 'nova_kid'],
  ['sunday_driver', 'lowtide'],
  ['Petra_K', 'ada_west'],
  ['oak_and_ash', 'Mirela-88'],
  ['quietstorm', 'Tamsin'],
];

const POSTS = [
  ['big_owl', 'First time here. Is it always this close at the end?'],
  ['Tamsin', 'Nearly had it on Tuesday. Four seconds.'],
  ['lowtide', 'Put 30 seconds on and went to make tea. Mistake.'],
  ['Kestrel', 'Good round. The last lamp was mine for a whole minute.'],
] as const;

const TICKETS = [
  ['nova_kid', 'Which network for LTC?', 'The payment page says LTC. Is that the ordinary Litecoin network?'],
  ['jo_harbor', 'A new email address', 'I changed my provider. Can you put the new address on my account?'],
  ['Mirela-88', 'My payout of Monday', 'Has it been sent? I see it as processing.'],
] as const;

export type Gamers = ReadonlyMap<string, HttpGamer>;

/** Registers the gamers, each with a balance; sponsors are depositors. */
export async function registerGamers(app: TestApp): Promise<Gamers> {
  const gamers = new Map<string, HttpGamer>();
  for (const [gamerTag, sponsor] of GAMERS) {
    const referralCode = sponsor === null ? null : (gamers.get(sponsor)?.refCode ?? null);
    const isDepositor = GAMERS.some(([, of]) => of === gamerTag);
    gamers.set(gamerTag, await app.gamer(gamerTag, { tokens: 400, isDepositor, referralCode }));
  }
  return gamers;
}

export async function buy(
  app: TestApp,
  gamers: Gamers,
  purchases: readonly (readonly [string, number])[],
): Promise<void> {
  for (const [gamerTag, quantity] of purchases) {
    expect(typeof (await gamers.get(gamerTag)?.buy(app.url, quantity))).toBe('object');
    await sleep(150);
  }
}

export async function writePostsAndTickets(app: TestApp, gamers: Gamers): Promise<void> {
  for (const [gamerTag, message] of POSTS) await as(gamers, gamerTag, app, 'community/posts', { message });
  for (const [gamerTag, subject, message] of TICKETS)
    await as(gamers, gamerTag, app, 'support/tickets', { subject, message });
}

/** Makes deposits and withdrawals, some settled and some pending. */
export async function makePayments(app: TestApp, gamers: Gamers): Promise<void> {
  await hurryPayments(app);
  for (const [gamerTag, dollars, action] of [
    ['Kestrel', 50, 'pay'],
    ['Petra_K', 20, 'pay'],
    ['big_owl', 100, 'underpay'],
    ['Tamsin', 25, 'overpay'],
  ] as const)
    await payAs(app, await orderDeposit(app, gamerOf(gamers, gamerTag), dollars), action);
  await unknownPayment(app, 42);
  for (const [gamerTag, dollars] of [
    ['ada_west', 24],
    ['Kestrel', 18],
    ['Mirela-88', 12],
  ] as const) {
    const gamer = gamerOf(gamers, gamerTag);
    const winnings = {
      purchaseBalanceCents: 0,
      totalWinningsCents: dollars * 100 + 1_140,
      reason: 'an earlier season',
    };
    await app.asAdmin(`mini/gamers/${gamer.id}/adjust`, winnings);
    const payout = { cryptoType: 'DOGE', walletAddress: DOGECOIN, amountCents: dollars * 100 };
    expect((await gamer.post(`${app.url}/api/gamer/${gamer.id}/withdraw`, payout)).status).toBe(200);
  }
  const wallet = { cryptoType: 'BTC', walletAddress: BITCOIN };
  const { id } = gamerOf(gamers, 'ada_west');
  await gamerOf(gamers, 'ada_west').post(`${app.url}/api/gamer/${id}/crypto-wallets`, wallet);
}

/** Writes daily totals and profit of the last month into the tables, because purchases cannot be made in the past. */
export async function insertMonth({ application }: TestApp): Promise<void> {
  const tables = new Client({ connectionString: application.databaseUrl });
  await tables.connect();
  try {
    let soldTokens = 0;
    for (const [i, day] of daysUntil(dayInNewYork(Date.now()), 30).slice(0, -1).entries()) {
      const tokens = Math.round(620 + 380 * Math.sin(i / 2.1) + 17 * ((i * 7) % 11));
      soldTokens += tokens;
      const deposits = 2 + ((i * 5) % 7);
      await tables.query(`INSERT INTO read.daily_totals VALUES ($1, $2, $3, $4, $5) ON CONFLICT (day) DO NOTHING`, [
        day,
        tokens * 2,
        Math.round(tokens / 4),
        deposits * 2_300 + ((i * 13) % 9) * 500,
        deposits,
      ]);
    }
    await tables.query('UPDATE read.stats SET total_tokens = total_tokens + $1', [soldTokens]);
    await tables.query(`UPDATE read.balances SET cents = cents + $1 WHERE account = 'house:profit'`, [soldTokens * 2]);
    await tables.query(`UPDATE read.balances SET cents = cents + $1 WHERE account = 'house:unclaimed'`, [
      soldTokens * 3,
    ]);
  } finally {
    await tables.end();
  }
}

function gamerOf(gamers: Gamers, gamerTag: string): HttpGamer {
  const gamer = gamers.get(gamerTag);
  if (gamer === undefined) throw new Error(`${gamerTag} is not registered`);
  return gamer;
}

async function as(gamers: Gamers, gamerTag: string, { url }: TestApp, path: string, body: object): Promise<void> {
  const gamer = gamerOf(gamers, gamerTag);
  const answer = await gamer.post(`${url}/api/${path}`, { gamerId: gamer.id, ...body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
}
