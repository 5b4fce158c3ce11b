import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { io, type Socket } from 'socket.io-client';
import { SOCKET_PATH } from '../contracts/live.js';
import { builtFile } from '../embedded/launcher/built-files.js';
import { startProcess } from '../embedded/launcher/supervised-process.js';
import type { Effort } from './commands.bench.js';
import { type BenchApi, BUY_PATH, runLoad, startBenchApi } from './http/bench-api.js';
import type { FloodName, FloodOrder } from './http/flood.js';
import { heading, say, sayMeasured } from './report.js';
import type { Stores } from './stores.js';

const run = promisify(execFile);
/** Purchases a second during the flood, of all gamers together. */
const PER_SECOND = 20;
/** So many times the usual length of a round, because a p99 needs hundreds of purchases. */
const LONGER = 3;
const CONNECTIONS = 10;
const WATCHERS = 5;
const FLOODS: (FloodName | null)[] = [null, 'genealogy reads', 'time:sync messages', 'logins'];

/**
 * Measures how long other gamers' purchases wait while one gamer or one address floods the server, with the default limits
 * (decision 44), and how many of the purchases reach the watchers. The kinds of flood take turns.
 */
export async function benchFloods(stores: Stores, { rounds, roundMs, warmUpMs }: Effort): Promise<void> {
  heading('Twenty purchases a second during a flood of one gamer or one address; limits as by default');
  const api = await startBenchApi(stores, 'floods', { TRUST_PROXY: '1', LOG_LEVEL: 'silent' });
  const worker = await startProcess({
    name: 'projections',
    script: builtFile('projections/src/main.js'),
    env: api.env,
    logFile: join(stores.folder, 'floods-worker.log'),
    notify: console.error,
  });
  const watchers = await Promise.all(Array.from({ length: WATCHERS }, () => Watcher.of(api.port)));
  const { port, buyersFile } = api;
  const durationMs = LONGER * roundMs;
  // The gamer that floods is the first buyer; its own purchases are a 256th of all.
  const order = {
    port,
    path: BUY_PATH,
    buyersFile,
    connections: CONNECTIONS,
    perSecond: PER_SECOND,
    address: '203.0.113.5',
  };
  try {
    // Until the server has compiled its code, also that of the refusals.
    for (const flood of FLOODS)
      await Promise.all([runLoad({ ...order, warmUpMs, durationMs }), flood && runFlood(api, flood, durationMs)]);
    for (let round = 0; round < rounds; round += 1) {
      for (const flood of FLOODS) {
        for (const watcher of watchers) watcher.received = 0;
        const [measured, counts] = await Promise.all([
          runLoad({ ...order, warmUpMs, durationMs }),
          flood && runFlood(api, flood, warmUpMs + durationMs),
        ]);
        // Until the last messages have arrived.
        await sleep(1_000);
        sayMeasured(`round ${round + 1}, ${flood ?? 'no flood'}`, measured);
        const bought = Math.round(((warmUpMs + durationMs) / 1_000) * PER_SECOND) - measured.refused;
        const missed = Math.max(...watchers.map(({ received }) => bought - received));
        say(
          `    refused ${measured.refused}; a watcher missed at most ${missed} of ${bought}; the flood: ${counts ?? 'none'}`,
        );
      }
    }
  } finally {
    for (const watcher of watchers) watcher.close();
    await worker.stop();
    await api.stop();
  }
}

async function runFlood({ port, buyersFile }: BenchApi, flood: FloodName, durationMs: number): Promise<string> {
  const order: FloodOrder = { flood, port, buyersFile, durationMs };
  const { stdout } = await run(process.execPath, [builtFile('bench/http/flood.js'), JSON.stringify(order)]);
  return stdout.trim();
}

/** A socket that counts the purchases it receives. */
class Watcher {
  received = 0;

  private constructor(private readonly socket: Socket) {
    socket.on('purchase:added', () => {
      this.received += 1;
    });
  }

  static async of(port: number): Promise<Watcher> {
    const url = `http://127.0.0.1:${port}`;
    const options = { path: SOCKET_PATH, transports: ['websocket'], forceNew: true };
    const socket = io(url, { ...options, extraHeaders: { origin: url, 'x-forwarded-for': '203.0.113.6' } });
    await new Promise((resolve, reject) => socket.once('connect', () => resolve(null)).once('connect_error', reject));
    return new Watcher(socket);
  }

  close(): void {
    this.socket.disconnect();
  }
}
