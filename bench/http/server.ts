import 'reflect-metadata';
import { createHmac, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AccountsStore } from '../../api/src/accounts/accounts.store.js';
import { AppModule } from '../../api/src/app.module.js';
import { Config } from '../../api/src/config.js';
import { createLogger, NestLogger } from '../../api/src/http/logging.js';
import { SESSION_COOKIE } from '../../api/src/http/session-middleware.js';
import { SessionStore } from '../../api/src/http/session-store.js';
import { setUpHttp } from '../../api/src/http/set-up.js';
import { Ledger } from '../../api/src/ledger/ledger.js';
import { playScene, type Scene, sceneOf } from '../scene.js';
import { SqlPurchases } from '../sql-purchases.js';
import type { Buyer } from './load.js';
import { SqlPools, SqlPurchasesController } from './sql-purchases.controller.js';

/*
 * The real api with one route more: the same purchase done by SQL, behind the same pipeline. Environment: the api's own,
 * and BENCH_SQL_URL (a database), BENCH_BUYERS (how many) and BENCH_BUYERS_FILE (where their cookies are written).
 */

/** As many as the api's pool has connections. */
const LOGINS_AT_ONCE = 10;

@Module({
  imports: [AppModule],
  controllers: [SqlPurchasesController],
  providers: [{ provide: SqlPools, useFactory: () => new SqlPools(process.env.BENCH_SQL_URL as string) }],
})
class BenchModule {}

const config = new Config(process.env);
const app = await NestFactory.create<NestExpressApplication>(BenchModule, {
  bodyParser: false,
  logger: new NestLogger(createLogger(config.logLevel)),
});
setUpHttp(app);
app.enableShutdownHooks();
await app.listen(config.port, config.host);

const house = await app.get(AccountsStore).findHouse();
if (!house) throw new Error('the api has no house');
const scene = sceneOf(house.gamerId, Number(process.env.BENCH_BUYERS));
const ledger = app.get(Ledger);
await playScene(scene, (command, by) => ledger.execute(command, by));
const sql = new SqlPurchases(process.env.BENCH_SQL_URL as string, 1);
await sql.prepare(scene, Date.now());
await sql.close();
await writeFile(process.env.BENCH_BUYERS_FILE as string, JSON.stringify(await logInAll(app, scene, config)));
console.log(JSON.stringify({ ready: true }));

/** Accounts and sessions as registration and login leave them, through the api's own stores; no password is hashed. */
async function logInAll(app: INestApplication, { house, buyers }: Scene, { sessionSecret }: Config): Promise<Buyer[]> {
  const accounts = buyers.map((gamerId) => ({
    gamerId,
    gamerTag: gamerId,
    email: `${gamerId}@example.com`,
    passwordHash: null,
    role: 'gamer' as const,
    refCode: gamerId.toUpperCase(),
    sponsorId: house,
    enrolled: true,
    createdAt: new Date(),
  }));
  await app.get(AccountsStore).restore(accounts);
  const sessions = app.get(SessionStore);
  const maxAge = 24 * 60 * 60 * 1000;
  const cookie = { originalMaxAge: maxAge, expires: new Date(Date.now() + maxAge), httpOnly: true, path: '/' };
  const logIn = (gamerId: string) =>
    new Promise<Buyer>((resolve, reject) => {
      const sid = randomUUID();
      const signature = createHmac('sha256', sessionSecret).update(sid).digest('base64').replace(/=+$/, '');
      sessions.set(sid, { cookie, gamerId }, (error) => {
        if (error) reject(error as Error);
        else resolve({ gamerId, cookie: `${SESSION_COOKIE}=${encodeURIComponent(`s:${sid}.${signature}`)}` });
      });
    });
  const loggedIn: Buyer[] = [];
  for (let from = 0; from < buyers.length; from += LOGINS_AT_ONCE) {
    loggedIn.push(...(await Promise.all(buyers.slice(from, from + LOGINS_AT_ONCE).map(logIn))));
  }
  return loggedIn;
}
