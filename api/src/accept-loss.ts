import { parseArgs } from 'node:util';
import { Pool } from 'pg';
import { EventLog } from '../../event-log/event-log.js';
import { databaseUrlSetting, requiredSetting, streamPrefixSetting } from '../../event-log/settings.js';
import { runCommand } from '../../event-log/startup.js';
import { acceptLoss } from './ledger/losses.js';

const USAGE = 'Usage: node dist/api/src/accept-loss.js --head EVENTS --by NAME --reason TEXT';

/** Accepts that the log lost the events of the last signed head: the game goes on with what is left (docs/operations.md). */
await runCommand(async () => {
  const text = { type: 'string' } as const;
  const { head, by, reason } = parseArgs({ options: { head: text, by: text, reason: text } }).values;
  if (!head || !by || !reason) throw new Error(USAGE);
  const pool = new Pool({ connectionString: databaseUrlSetting(process.env), max: 2 });
  const log = new EventLog(requiredSetting(process.env, 'EVENT_STORE_URL'), {
    streamPrefix: streamPrefixSetting(process.env),
  });
  try {
    const loss = await acceptLoss(pool, log, { signedSize: Number(head), acceptedBy: by, reason });
    process.stdout.write(`Event ${loss.number} says it: the log goes on as ${loss.left} events of ${head}.\n`);
  } finally {
    await log.close();
    await pool.end();
  }
});
