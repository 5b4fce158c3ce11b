import { parseArgs } from 'node:util';
import { logPrefix } from '../../contracts/transparency/log-client.js';
import { ContradictingHead, followSite } from './follow.js';
import { startWitness } from './start-witness.js';

/* `npm run witness`: a witness for one site. It serves the protocol, and it looks at the site's heads by itself. */

const INTERVAL_MS = 3_000;
const PATIENCE_MS = 60_000;

function readSettings() {
  const text = { type: 'string' } as const;
  const options = { log: text, key: { ...text, multiple: true }, port: text, state: text, host: text } as const;
  const { log, key, port, state, host } = parseArgs({ options }).values;
  if (!log || !URL.canParse(log) || !/^https?:/.test(log)) throw new Error('--log takes the address of the site');
  if (!key) throw new Error('--key takes the public key of the log, such as play.example/ledger+f3163a9b+AYqI…');
  if (port !== undefined && !/^\d{1,5}$/.test(port)) throw new Error('--port takes a number');
  return { log, key, port: Number(port ?? 4030), state: state ?? 'witness.json', host: host ?? '127.0.0.1' };
}

async function runWitness(): Promise<void> {
  const { log, key, state, host, port } = readSettings();
  const running = await startWitness({ host, port, stateFile: state, logKeys: key });
  const ending = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => ending.abort());
  console.log(`Cosigns ${log}; its key and the newest head are in ${state}. For the log’s policy:\n`);
  console.log(`${running.policyLine}\n`);
  await followSite({
    witness: running.witness,
    prefix: logPrefix(log),
    intervalMs: INTERVAL_MS,
    patienceMs: PATIENCE_MS,
    notify: (line) => console.log(line),
    warn: (line) => console.error(`WARNING: ${line}`),
    signal: ending.signal,
  }).finally(() => running.close());
}

try {
  await runWitness();
} catch (error) {
  const { message } = error as Error;
  console.error(
    error instanceof ContradictingHead ? `ALARM: the site contradicts itself: ${message}` : `witness: ${message}`,
  );
  process.exitCode = 1;
}
