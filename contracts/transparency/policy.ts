/** The trusted logs and witnesses: c2sp.org/tlog-policy. */
import * as notes from './signed-note.js';

export interface Witness {
  /** The policy's own name for the witness. */
  name: string;
  key: notes.VerifierKey;
  /** The witness's submission prefix, without a slash at the end; null when the policy has none. */
  url: string | null;
}

export interface Policy {
  logs: readonly { key: notes.VerifierKey; url: string | null }[];
  witnesses: readonly Witness[];
  /** @param cosigners the policy's names of the witnesses that cosigned */
  hasQuorum(cosigners: ReadonlySet<string>): boolean;
}

type Rule = (cosigners: ReadonlySet<string>) => boolean;

/** Throws InvalidNote with the line that is wrong. */
export async function parsePolicy(text: string): Promise<Policy> {
  const logs: { key: notes.VerifierKey; url: string | null }[] = [];
  const witnesses: Witness[] = [];
  const rules = new Map<string, Rule>([['none', () => true]]);
  const members = new Set<string>();
  const keys = new Set<string>();
  let quorum: Rule | undefined;

  const define = (name: string, rule: Rule): void => {
    if (rules.has(name)) throw new notes.InvalidNote(`${name} is defined twice`);
    rules.set(name, rule);
  };
  const ruleOf = (name = ''): Rule => {
    const rule = rules.get(name);
    if (!rule) throw new notes.InvalidNote(`${name} is not defined before it is used`);
    return rule;
  };
  const ownKey = async (vkey = '', of: 'log' | 'witness'): Promise<notes.VerifierKey> => {
    const key = await notes.parseVerifierKey(vkey);
    const bytes = `${of} ${key.publicKey}`;
    if (keys.has(bytes)) throw new notes.InvalidNote(`the key ${vkey} is there twice`);
    keys.add(bytes);
    return key;
  };
  const memberRule = (name: string): Rule => {
    if (name === 'none' || members.has(name)) throw new notes.InvalidNote(`${name} cannot be a member here`);
    members.add(name);
    return ruleOf(name);
  };
  const take = async ([keyword, ...words]: string[]): Promise<void> => {
    const [first = '', second = '', third] = words;
    switch (keyword) {
      case 'log':
        assertCount(words, 1, 2);
        logs.push({ key: await ownKey(first, 'log'), url: urlOf(words[1]) });
        return;
      case 'witness':
        assertCount(words, 2, 3);
        witnesses.push({ name: first, key: await ownKey(second, 'witness'), url: urlOf(third) });
        return define(first, (cosigners) => cosigners.has(first));
      case 'group': {
        assertCount(words, 3, Number.POSITIVE_INFINITY);
        const rulesOfMembers = words.slice(2).map(memberRule);
        const needed = thresholdOf(second, rulesOfMembers.length);
        return define(first, (cosigners) => rulesOfMembers.filter((rule) => rule(cosigners)).length >= needed);
      }
      case 'quorum':
        assertCount(words, 1, 1);
        if (quorum) throw new notes.InvalidNote('there are two quorums');
        quorum = ruleOf(first);
        return;
      default:
        throw new notes.InvalidNote(`"${keyword}" is unknown`);
    }
  };

  for (const [number, line] of text.split('\n').entries()) {
    const words = line.split(/[ \t]+/).filter((word) => word !== '');
    if (words.length === 0 || words[0]?.startsWith('#')) continue;
    await take(words).catch((error: Error) => {
      throw new notes.InvalidNote(`line ${number + 1} of the policy: ${error.message}`);
    });
  }
  if (!quorum) throw new notes.InvalidNote('the policy has no quorum');
  return { logs, witnesses, hasQuorum: quorum };
}

function assertCount({ length }: readonly string[], least: number, most: number): void {
  if (length < least || length > most) throw new notes.InvalidNote('it has too few or too many words');
}

function thresholdOf(word: string, count: number): number {
  if (word === 'any') return 1;
  if (word === 'all') return count;
  const needed = /^[1-9]\d{0,3}$/.test(word) ? Number(word) : 0;
  if (needed < 1 || needed > count) throw new notes.InvalidNote(`${word} of ${count} is not a quorum`);
  return needed;
}

function urlOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (!URL.canParse(text) || !/^https?:/.test(text)) throw new notes.InvalidNote(`"${text}" is not an address`);
  return text.replace(/\/+$/, '');
}

/** The witnesses whose cosignature of the note is valid. Throws InvalidNote when a known one's is wrong. */
export async function cosignersOf(note: notes.Note, { witnesses }: Pick<Policy, 'witnesses'>): Promise<Set<string>> {
  const cosigners = new Set<string>();
  for (const { name, key } of witnesses) {
    const verdict = key.type === notes.COSIGNATURE ? await notes.verifySignature(note, key) : 'unknown';
    if (verdict === 'wrong') throw new notes.InvalidNote(`the cosignature of ${key.name} is wrong`);
    if (verdict === 'valid') cosigners.add(name);
  }
  return cosigners;
}
