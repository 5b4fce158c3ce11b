import 'reflect-metadata';
import { writeFile } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  Body,
  Controller,
  Get,
  HttpCode,
  type INestApplication,
  Module,
  type OnApplicationShutdown,
  Param,
  Post,
  UseGuards,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from '../../api/src/app.module.js';
import { configureHttp, httpAdapter } from '../../api/src/configure-http.js';
import { AccountsStore } from '../../api/src/features/gamers/accounts.store.js';
import { BuyFromBalanceDto } from '../../api/src/features/purchases/purchases.controller.js';
import { SESSION_COOKIE, sessionCookieValue } from '../../api/src/http/cookies.js';
import { LoggedIn } from '../../api/src/http/guards.js';
import { createLogger, NestLogger } from '../../api/src/http/logging.js';
import { CurrentGamer, mustBeOwn, type SessionGamer } from '../../api/src/http/session.js';
import { SessionStore } from '../../api/src/http/sessions.store.js';
import { Ledger } from '../../api/src/ledger/ledger.js';
import { Config } from '../../api/src/platform/config.js';
import type { PurchaseReceipt } from '../../contracts/http/purchases.js';
import { TOKEN_PRICE_CENTS } from '../../contracts/limits.js';
import { disablePretenuring } from '../../event-log/startup.js';
import { type Crowd, playScenario, scenarioOf } from '../scenario.js';
import { SqlPurchases, withSql } from '../sql-purchases.js';
import { sharedClockMs } from './forked.js';
import type { Buyer } from './load.js';

/*
 * The real api with one more route, which buys by SQL behind the same pipeline. Environment: that of the api, and
 * BENCH_SQL_URL (a database), BENCH_BUYERS (their number) and BENCH_BUYERS_FILE (the file for their cookies).
 */

const SQL_URL = process.env.BENCH_SQL_URL as string;

/** Buys by SQL behind the api's pipeline, with a pool for each requested number of connections. */
@Controller('api/bench')
@UseGuards(LoggedIn)
class SqlPurchasesController implements OnApplicationShutdown {
  private readonly pools = new Map<string, SqlPurchases>();

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.pools.values()].map((pool) => pool.close()));
  }

  @Post('buy-by-sql/:connections')
  @HttpCode(200)
  async buyBySql(
    @CurrentGamer() session: SessionGamer,
    @Param('connections') connections: string,
    @Body() { quantity, userId }: BuyFromBalanceDto,
  ): Promise<Omit<PurchaseReceipt, 'revision' | 'eventId' | 'chain'>> {
    mustBeOwn(session.gamerId, userId);
    const receivedAtEpochMs = Date.now();
    const pool = this.pools.get(connections) ?? new SqlPurchases(SQL_URL, Number(connections));
    this.pools.set(connections, pool);
    const bought = await pool.buy(userId, quantity, receivedAtEpochMs);
    return {
      success: true,
      message: `Purchased ${quantity} Omni Token(s) successfully`,
      ...bought,
      quantity,
      costCents: quantity * TOKEN_PRICE_CENTS,
      receivedAtEpochMs,
    };
  }
}

/** Time of each purchase's commit on the shared clock. */
export type CommittedAt = Record<string, number>;

export interface Memory {
  heapUsed: number;
  external: number;
  rss: number;
}

@Controller('api/bench')
class ObservedController {
  private committedAt: Map<string, number> | null = null;

  constructor(private readonly ledger: Ledger) {}

  /** The last commits since the previous request. Observes from the first one on: other parts do not pay for it. */
  @Get('commits')
  commits(): CommittedAt {
    this.committedAt ??= this.observe();
    const commits = Object.fromEntries(this.committedAt);
    this.committedAt.clear();
    return commits;
  }

  private observe(): Map<string, number> {
    const committedAt = new Map<string, number>();
    this.ledger.onCommitted((committed) => {
      const atMs = sharedClockMs();
      for (const { recorded } of committed) {
        const { event } = recorded;
        if (event.type === 'TokenPurchased') committedAt.set(event.data.purchaseId, atMs);
      }
    });
    return committedAt;
  }

  @Get('memory')
  memory(): Memory {
    setFlagsFromString('--expose-gc');
    (runInNewContext('gc') as () => void)();
    const { heapUsed, external, rss } = process.memoryUsage();
    return { heapUsed, external, rss };
  }
}

@Module({ imports: [AppModule], controllers: [SqlPurchasesController, ObservedController] })
class BenchModule {}

disablePretenuring();
const config = new Config(process.env);
const app = await NestFactory.create<NestFastifyApplication>(BenchModule, httpAdapter(config), {
  bodyParser: false,
  logger: new NestLogger(createLogger(config.logLevel)),
});
configureHttp(app);
app.enableShutdownHooks();
await app.listen({ port: config.port, host: config.host, backlog: 4_096 });

const admin = await app.get(AccountsStore).findAdmin();
if (!admin) throw new Error('the api has no admin account');
const scenario = scenarioOf(admin.gamerId, Number(process.env.BENCH_BUYERS));
const ledger = app.get(Ledger);
await playScenario(scenario, (command, by) => ledger.execute(command, by));
await withSql(SQL_URL, 1, (sql) => sql.prepare(scenario, Date.now()));
await writeFile(process.env.BENCH_BUYERS_FILE as string, JSON.stringify(await logInAll(app, scenario, config)));
console.log(JSON.stringify({ ready: true }));

/** Creates accounts and sessions through the api's own stores, as registration and login do, without hashing passwords. */
async function logInAll(app: INestApplication, { adminId, buyers }: Crowd, config: Config): Promise<Buyer[]> {
  const accounts = buyers.map((gamerId) => ({
    gamerId,
    gamerTag: gamerId,
    email: `${gamerId}@example.com`,
    passwordHash: null,
    role: 'gamer' as const,
    refCode: gamerId.toUpperCase(),
    sponsorId: adminId,
    enrolled: true,
    createdAt: new Date(),
  }));
  await app.get(AccountsStore).restore(accounts);
  const loggedIn: Buyer[] = [];
  for (const gamerId of buyers) {
    const sid = await app.get(SessionStore).begin(gamerId, { device: 'Bench', isStaff: false, hasSecondFactor: false });
    const cookie = `${SESSION_COOKIE}=${encodeURIComponent(sessionCookieValue(sid, config))}`;
    loggedIn.push({ gamerId, cookie });
  }
  return loggedIn;
}
