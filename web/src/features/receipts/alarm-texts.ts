import { counted } from '../../shared/format.js';
import type { Alarm } from '../../shared/ledger/ledger-memory.js';

interface AlarmText {
  title: string;
  says: string;
  means: string;
  advice: string;
}

const KEEP = 'Save both texts and keep the file.';

/** An alarm in plain words. */
export function alarmText({ kind, size }: Pick<Alarm, 'kind' | 'size'>): AlarmText {
  const events = counted(size, 'event');
  switch (kind) {
    case 'contradiction':
      return {
        title: 'The ledger contradicts itself',
        says: `This browser has proof of one history of the ledger’s first ${events}. The server now signs another one.`,
        means:
          'An honest ledger only grows, so one of the two is not what happened. Both texts bear the operator’s signature, or one is the receipt of your own purchase.',
        advice: `${KEEP} Buy nothing until the operator has explained it in public. Show the file to other gamers and to an auditor: anyone can check it.`,
      };
    case 'shorter':
      return {
        title: 'The ledger has lost events',
        says: `The operator signed a ledger of ${events}. The server now says that it was never that long.`,
        means: 'Events were removed, or the server was set back to an old copy. What you bought may be missing.',
        advice: `${KEEP} Buy nothing until the operator has explained it in public.`,
      };
    case 'signature':
      return {
        title: 'A signature of the ledger is wrong',
        says: `The server answered with a ledger of ${events} whose signature does not belong to it.`,
        means: 'Somebody may have changed the answer on its way, or this is not the operator’s server.',
        advice: `${KEEP} Check the address of this page, and try another network. Buy nothing until the warning is explained.`,
      };
    case 'key':
      return {
        title: 'The ledger is signed with another key',
        says: 'The key is not the one that this browser knows, and the known key does not vouch for it.',
        means: 'The operator replaced the key, or somebody else signs in the operator’s place.',
        advice: `${KEEP} Compare the new key with the one that the operator has published. Accept it only if they are the same.`,
      };
  }
}

/** The file with both texts, for others to check. */
export const alarmFile = (alarm: Alarm): string =>
  `${JSON.stringify({ format: 'omni-jackpot alarm 1', ...alarm }, null, 2)}\n`;
