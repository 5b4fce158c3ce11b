import { parseArgs } from 'node:util';
import { EventLog } from '../../event-log/event-log.js';
import { databaseUrlSetting, requiredSetting, streamPrefixSetting } from '../../event-log/settings.js';
import { runCommand } from '../../event-log/startup.js';
import { acceptLoss } from './ledger/losses.store.js';

const USAGE = 'Usage: node dist/api/src/accept-loss.js --head EVENTS --by NAME --reason TEXT';

/** Accepts that the log lost the events of the last signed head: the game goes on with what is left (docs/operations.md). */
await runCommand(async () => {
  const text = { type: 'string' } as const;
  const { head, by, reason } = parseArgs({ options: { head: text, by: text, reason: text } }).values;
  if (!head || !by || !reason) throw new Error(USAGE);
  const databaseUrl = databaseUrlSetting(process.env);
  const eventStoreUrl = requiredSetting(process.env, 'EVENT_STORE_URL');
  const log = new EventLog(eventStoreUrl, { streamPrefix: streamPrefixSetting(process.env) });
  try {
    const loss = await acceptLoss(databaseUrl, log, { signedSize: Number(head), acceptedBy: by, reason });
    process.stdout.write(`Event ${loss.number} says that ${loss.left} of ${head} events are left.\n`);
  } finally {
    await log.close();
  }
});
