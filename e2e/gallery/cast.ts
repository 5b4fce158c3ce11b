import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@playwright/test';
import { TOKEN_PRICE_CENTS } from '../../contracts/limits.js';
import { GamerByHttp } from '../gamers-by-http.js';
import type { StartedApplication } from '../started-application.js';

/** The people in the pictures. Everyone but the first came by ada_west's link. */
export const CAST = ['ada_west', 'Kestrel', 'nova_kid', 'lowtide', 'Mirela-88', 'jo_harbor', 'Tamsin', 'big_owl'];

export interface Company {
  admin: GamerByHttp;
  gamers: Map<string, GamerByHttp>;
  buy(gamerTag: string, quantity: number): Promise<void>;
  asAdmin(path: string, body: object): Promise<void>;
}

/** Registers the cast, credits their balances, makes ada_west a depositor. */
export async function gather({ url, adminPassword }: StartedApplication, password: string): Promise<Company> {
  const admin = await GamerByHttp.logIn(url, 'admin', adminPassword ?? '');
  const asAdmin = async (path: string, body: object) => {
    const answer = await admin.post(`${url}/api/admin/${path}`, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  };
  const gamers = new Map<string, GamerByHttp>();
  let referralCode: string | null = null;
  for (const gamerTag of CAST) {
    const gamer: GamerByHttp = await GamerByHttp.register(url, gamerTag, { password, referralCode });
    referralCode ??= gamer.refCode;
    gamers.set(gamerTag, gamer);
    await asAdmin(`mini/gamers/${gamer.id}/adjust`, {
      purchaseBalanceCents: 400 * TOKEN_PRICE_CENTS,
      totalWinningsCents: 0,
      reason: 'a guest of the house',
    });
  }
  await asAdmin(`mini/gamers/${gamers.get('ada_west')?.id}/depositor-status`, { isDepositor: true });
  const buy = async (gamerTag: string, quantity: number) => {
    const receipt = await gamers.get(gamerTag)?.buy(url, quantity);
    expect(typeof receipt).toBe('object');
    await sleep(150);
  };
  return { admin, gamers, buy, asAdmin };
}
