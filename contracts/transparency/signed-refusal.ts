/** The refusal of a purchase that came too late (decision 60): a note that the ledger's key signs (c2sp.org/signed-note). */
import type { LateEvents } from '../events/late-events.js';
import type { CommandId } from '../ids.js';
import { InvalidNote, type Note, parseNote } from './signed-note.js';

export type LatePurchase = LateEvents['PurchaseCameLate'] & { commandId: CommandId };

export interface SignedRefusal extends Note {
  /** The log's name, which is also that of its key. */
  origin: string;
  late: LatePurchase;
}

export const REFUSAL_FILE_SUFFIX = '.refusal';

/** Follows the origin in the first line. No log's name has a space, so the text can never be taken for a head. */
const TITLE = ' purchase came late';
const NUMBERS = ['roundId', 'quantity', 'receivedAtEpochMs', 'endedAtMs', 'ledgerSize'] as const;
const TEXTS = ['gamerId', 'commandId'] as const;

/** The lines that the signature covers, each with its newline: the origin and a title, then "name value" for each field. */
export const refusalNoteText = (origin: string, late: LatePurchase): string =>
  `${origin}${TITLE}\n${[...NUMBERS, ...TEXTS].map((name) => `${name} ${late[name]}\n`).join('')}`;

export const isSignedRefusal = (text: string): boolean => /^\S+ purchase came late\n/.test(text);

/** Checks the form alone, and no signature. Throws InvalidNote. */
export function parseSignedRefusal(text: string): SignedRefusal {
  const note = parseNote(text);
  const [first = '', ...lines] = note.text.slice(0, -1).split('\n');
  const values = Object.fromEntries(lines.map((line) => line.split(/ (.*)/, 2)));
  const numbers = NUMBERS.map((name) => [name, Number(values[name])]);
  const late = { ...values, ...Object.fromEntries(numbers) } as LatePurchase;
  const origin = first.slice(0, -TITLE.length);
  // Written again it must be the same text: no field is missing, is written twice or in another way.
  if (refusalNoteText(origin, late) !== note.text || !numbers.every(([, value]) => Number.isSafeInteger(value)))
    throw new InvalidNote('this note is not a refusal of a purchase');
  return { ...note, origin, late };
}

/** How late it arrived, in milliseconds. Below zero it came in time, and its refusal convicts the site. */
export const latenessOf = ({ receivedAtEpochMs, endedAtMs }: LatePurchase): number => receivedAtEpochMs - endedAtMs;
