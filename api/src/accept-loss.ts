import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { EventLog } from '../../event-log/event-log.js';
import { databaseUrlSetting, requiredSetting, streamPrefixSetting } from '../../event-log/settings.js';
import { runCommand } from '../../event-log/startup.js';
import { acceptLoss } from './ledger/history-loss.store.js';

const USAGE =
  'Usage: node dist/api/src/accept-loss.js --head EVENTS --left EVENTS --by NAME --reason TEXT [--note FILE]';

/** Accepts that the log lost the events of the last signed head: the game goes on with what is left (docs/operations.md). */
await runCommand(async () => {
  const text = { type: 'string' } as const;
  const options = { head: text, left: text, by: text, reason: text, note: text } as const;
  const { head, left, by, reason, note } = parseArgs({ options }).values;
  if (!head || !left || !by || !reason) throw new Error(USAGE);
  const databaseUrl = databaseUrlSetting(process.env);
  const eventStoreUrl = requiredSetting(process.env, 'EVENT_STORE_URL');
  const log = new EventLog(eventStoreUrl, { streamPrefix: streamPrefixSetting(process.env) });
  try {
    const number = await acceptLoss(databaseUrl, log, {
      signedSize: Number(head),
      logSize: Number(left),
      acceptedBy: by,
      reason,
      note: note === undefined ? null : readFileSync(note, 'utf8'),
    });
    process.stdout.write(`Event ${number} says that ${left} of ${head} events are left.\n`);
  } finally {
    await log.close();
  }
});
