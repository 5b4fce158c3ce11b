import { runCommand } from '../../event-log/startup.js';
import { recoverStaff } from './features/staff/staff-recovery.store.js';
import { Config } from './platform/config.js';

/** `node dist/api/src/recover-staff.js <GamerTag>` prints a link that sets a new password, for an hour. */
await runCommand(async () => {
  const [, , gamerTag] = process.argv;
  if (!gamerTag) throw new Error('Usage: node dist/api/src/recover-staff.js <GamerTag>');
  const link = await recoverStaff(new Config(process.env), gamerTag, new Date());
  process.stdout.write(
    `The second factor is removed, and all sessions have ended. Set a password within an hour:\n${link}\n`,
  );
});
