/**
 * Keeps banned words out of names, comments, docs, test names, log messages and error messages, and says the term to use instead.
 *
 *     node scripts/check-words.mjs            findings per package; `npm run check` runs it
 *     node scripts/check-words.mjs [paths…]   each finding below these paths, as file:line
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Matches a name ("useRoomInView" is tested as "use-room-in-view") that has one of these words. */
const words = (...list) => new RegExp(`(?:^|-)(?:${list.join('|')})(?=-|$)`);
/** Matches a name that is exactly one of these. */
const exactly = (...list) => new RegExp(`^(?:${list.join('|')})$`);
const text = (pattern) => new RegExp(`\\b(?:${pattern})\\b`, 'gi');
const openers = (pattern) => new RegExp(`(?:^|[.:;!?]\\s|\\n\\s*\\n|\\n\\s*- )\\s*(?:${pattern})\\s[^.?]*\\??`, 'g');

/**
 * `names` is tested against identifiers and file names, `prose` against comments, docs, test names and messages.
 * `unless` allows a name, or the words around a finding; `only` and `except` choose files.
 */
const rules = [
  {
    say: 'package, panel, tab or space; "Socket.IO room" for a room of sockets',
    names: words('room', 'rooms'),
    except: /\/live\//,
  },
  {
    say: 'package, panel, tab or space; "Socket.IO room" for a room of sockets',
    except: /\/live\//,
    prose: text('rooms?'),
    unless: /socket\.?io/i,
  },
  {
    say: 'sent, announced, reported, described',
    names: words('told', 'untold', 'told.*'),
    prose: text('told|untold'),
  },
  {
    say: 'poll, check, view; theme (of a page)',
    names: words('look', 'looks', 'looked'),
    unless: /look-up|looks?-like/,
  },
  {
    say: 'poll, check, view; theme (of a page)',
    prose: text('(?:an?|the|next|each|every|another) looks?|looks? at|looked (?:at|for)|looking at'),
  },
  { say: 'end of the log, newest events, remaining part', names: words('tail'), prose: text('tail') },
  {
    say: 'separately, in a second schema; park (a payment)',
    names: /.-aside|aside-./,
    prose: text('aside'),
    unless: /<aside/,
  },
  { say: 'trial balance, replica, statement, reconciliation', names: words('book', 'books'), prose: text('books?') },
  { say: 'indexed event types', names: words('rare'), prose: text('rare (?:type|event)s?') },
  { say: 'postings', names: exactly('moves') },
  {
    say: 'invoice',
    names: words('opening'),
    prose: text('(?:an|this|the) opening'),
    only: /payments?\b/,
    unless: /balance/,
  },
  {
    say: 'reported, polled, settled, reviewed',
    names: words('seen', 'judged'),
    unless: /^payment-seen$|^seen-by$/,
    only: /payments?\b/,
  },
  { say: 'validated, decided, settled, reviewed', prose: text('judge[ds]?') },
  {
    say: 'replayed (a command), redelivered (a callback)',
    names: exactly('repeat', 'repeats', 'is-repeat'),
    prose: text('(?:an?|the|no) repeat|repeats'),
  },
  {
    say: 'request, requested',
    names: words('asked'),
    prose: text('(?:was|is|were|are|been|be|when|if|had|unless) asked|asked (?:for|of|about|again)'),
  },
  { say: 'next to, and also; the field itself', names: words('beside'), prose: text('beside') },
  { say: 'lazy', names: exactly('late', 'late-part', 'give-up-on-late'), except: /payment/ },
  { say: 'withTimeout', names: exactly('within', 'answer-within') },
  { say: 'range', names: exactly('one-to') },
  {
    say: 'asOf (state as of event N), event, time',
    names: words('moment'),
    prose: text('(?:that|this|another|chosen|same|the) moment'),
  },
  {
    say: 'operator, admin or profit; house only in `house:*` accounts',
    names: words('house'),
    unless: /house-(?:share|cents|profit|unclaimed|deposit-fees|adjustments|forfeited)|light-?house|house-light/,
  },
  { say: 'operator, admin or profit; house only in `house:*` accounts', prose: text('house(?!:)'), unless: /`house`/ },
  { say: 'a noun for the thing', names: words('sought', 'became') },
  { say: 'a noun for the thing', names: exactly('shown-column') },
  { say: 'Bootstrap', names: words('first-start') },
  {
    say: 'describe…, description, text',
    names: /-in-words?$|.-words$|^words-of/,
    unless: /^(?:to|from)-words$/,
    except: /^scripts\//,
  },
  { say: 'panel', names: words('desk'), prose: text('desk') },
  { say: 'endpoint', names: words('doors?'), prose: text('doors?') },
  { say: 'notification, report, message', names: words('news'), prose: text('news'), unless: /good news/ },
  {
    say: 'is notified, receives',
    names: words('hears?', 'heard', 'hearing', 'unheard'),
    prose: text('hears|heard'),
    except: /operators\.int\.spec/,
  },
  { say: 'unavailable', prose: text('(?:goes|go|is|are|was|were|been) away') },
  { say: 'an earlier release', prose: text('(?:former|older|previous) releases?|(?:release|version) before') },
  {
    say: "the owner before the noun: the gamer's own",
    prose: text('the own|an own|own ones'),
    except: /operators\.int\.spec/,
  },
  {
    say: 'test app, scenario, fixture',
    names: words('scenes?', 'stor(?:y|ies)'),
    prose: text('scenes?|stor(?:y|ies)'),
  },
  { say: 'gamers, accounts, users; the subject', names: words('people'), prose: text('people') },
  {
    say: 'event detail, merkle entry',
    names: exactly('leaf', 'leaf-props', 'leaf-matter'),
    // RFC 6962 says leaf.
    except: /merkle|proof|recompute|\/http\/|\/audit\//,
  },
  {
    say: 'the stage vocabulary stays in web/',
    names: words('footlights?', 'lamps?', 'apron', 'curtain', 'marquee'),
    prose: text('footlights?|lamps?|apron|curtain|marquee'),
    except: /^(?:web|e2e)\/|^docs\/gallery/,
  },
  {
    say: 'the noun, before its relative clause',
    prose: text('whoever|whomever|nobody who|no one who|somebody who|that which'),
  },
  {
    say: 'our, the admin’s: the owner before the noun',
    prose: text("of (?:ours|theirs)|of an? (?:admin|gamer|auditor|node)['’]s(?= (?:that|who|is|to)\\b|[,.;])"),
  },
  {
    say: 'a sentence or a noun: what is it?',
    prose: openers(
      'What|Who|Whom|Whose|Which|Whatever|(?:Where|Why)(?=[^,.?]*[.:])|Those who|Nobody|Of (?:its?|the|an?|one|what|which|these|those)|As it',
    ),
    unless: /\?$/,
  },
];

/** Old names that stored data, upcasters and this file must keep. */
const EXEMPT = /\/migrations\/|upcast|\/fixtures\/|\.golden\.|\.generated\.|^scripts\/check-words|package-lock|\.svg$/;
const CODE = /\.(?:[cm]?[jt]sx?)$/;
const PROSE = /\.(?:md|ya?ml|css|sh|html|py|sql)$|Dockerfile|\.conf$/;

/** @param {string[]} paths folders or files; all of the tree when empty @returns {{ file: string, line: number, found: string, say: string }[]} */
export function findBannedWords(paths = []) {
  return execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...paths], {
    cwd: root,
  })
    .toString()
    .split('\0')
    .filter((file) => (CODE.test(file) || PROSE.test(file)) && !EXEMPT.test(file))
    .flatMap(findingsIn);
}

function findingsIn(file) {
  let source;
  try {
    source = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
  } catch {
    return []; // Deleted, and not yet committed.
  }
  const { names, prose } = CODE.test(file) ? scan(source, file) : { names: [], prose: [proseOf(source, file)] };
  for (const part of file.split('/')) names.push({ at: 0, name: part.split('.')[0] });
  const findings = [];
  const add = (at, found, say) =>
    findings.push({ file, line: lineOf(source, at), found: found.trim().split('\n')[0], say });
  const applies = ({ only, except }) => !except?.test(file) && (only?.test(file) ?? true);
  for (const { at, name } of names) for (const rule of rulesAgainst(name)) if (applies(rule)) add(at, name, rule.say);
  for (const rule of rules.filter((rule) => rule.prose !== undefined && applies(rule)))
    for (const { at, words } of prose)
      for (const match of words.matchAll(rule.prose)) {
        const start = match.index + match[0].search(/\w/);
        const found = words.slice(start, match.index + match[0].length);
        const around = words.slice(Math.max(0, start - 20), start + found.length + 20);
        if (!(rule.unless?.test(found) || rule.unless?.test(around))) add(at + start, found.slice(0, 60), rule.say);
      }
  return findings.sort((a, b) => a.line - b.line);
}

const known = new Map();

function rulesAgainst(name) {
  let against = known.get(name);
  if (against === undefined) {
    const kebab = kebabOf(name);
    against = rules.filter((rule) => rule.names?.test(kebab) && !rule.unless?.test(kebab));
    known.set(name, against);
  }
  return against;
}

const kebabOf = (name) =>
  name
    .replace(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3-$2')
    .replaceAll('_', '-')
    .toLowerCase();

const lineOf = (source, at) => source.slice(0, at).split('\n').length;

/** Comments of style sheets, settings, Python and SQL; the whole of a page, without its code. */
function proseOf(source, file) {
  const blank = (match) => match.replace(/[^\n]/g, ' ');
  if (/\.md$/.test(file)) return { at: 0, words: source.replace(/```[\s\S]*?```|`[^`\n]*`|\]\([^)]*\)/g, blank) };
  if (/\.css$|\.html$/.test(file))
    return { at: 0, words: source.replace(/^[\s\S]*?(?=\/\*|<!--)|(?<=\*\/|-->)[\s\S]*?(?=\/\*|<!--|$)/g, blank) };
  if (/\.py$/.test(file)) return { at: 0, words: onlyMatches(/"""[\s\S]*?"""|(?<=^|\s)#.*/gm) };
  if (/\.sql$/.test(file)) return { at: 0, words: onlyMatches(/--.*/g) };
  return { at: 0, words: source.replace(/^(?!\s*#).*$/gm, blank) };

  function onlyMatches(pattern) {
    let words = '';
    for (const { 0: match, index } of source.matchAll(pattern))
      words += blank(source.slice(words.length, index)) + match;
    return words;
  }
}

const TOKEN =
  /(?<comment>\/\*[\s\S]*?\*\/|(?<![:\w])\/\/[^\n]*(?:\n\s*\/\/[^\n]*)*)|(?<=[=(,:!&|?[{;] ?)\/(?![*/>])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+\/[dgimsuvy]*|(?<string>'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)|(?<name>[A-Za-z_$][\w$]*)/g;
const MESSAGE =
  /(?:\blog(?:ger)?|console)\??\.(?:info|warn|error|debug|fatal|log|trace)\((?:\{[^}]*\},\s*)?$|new (?:\w*Error)\($/;

/** Text between tags: a user sees it, so the specification may fix its words. */
const JSX_TEXT = />[^<>{}=]*[\w,.] [a-z][^<>{}=]*(?=[<{])|\}[^<>{}=;]*(?=<\/)/g;

/** Splits a source file into names and prose. JSX text is neither. */
function scan(whole, file) {
  const source = /\.tsx$/.test(file) ? whole.replace(JSX_TEXT, (text) => text.replace(/\w/g, ' ')) : whole;
  const names = [];
  const prose = [];
  const isTest = /\.(?:spec|e2e)\.tsx?$/.test(file);
  for (const match of source.matchAll(TOKEN)) {
    const { comment, string, name } = match.groups;
    const at = match.index;
    // `text.repeat(3)` calls the language's own method.
    if (name && !(name === 'repeat' && source[at - 1] === '.')) names.push({ at, name });
    else if (comment)
      prose.push({
        at: at + 2,
        words: comment.slice(2).replace(/^(\s*)(?:\*+\/?|\/\/)/gm, (all) => all.replace(/[*/]/g, ' ')),
      });
    else if (string) {
      const before = source.slice(Math.max(0, at - 120), at);
      const after = source.slice(at + string.length, at + string.length + 20);
      const isTestName = isTest && /\(\s*$/.test(before) && /^,\s*(?:async\s*)?(?:\(|\w+\s*=>|\{)/.test(after);
      if (isTestName || MESSAGE.test(before)) prose.push({ at: at + 1, words: string.slice(1, -1) });
      if (string.startsWith('`'))
        for (const inner of string.matchAll(/\$\{([^}]*)\}/g))
          for (const used of inner[1].replaceAll('.repeat(', '(').matchAll(/[A-Za-z_$][\w$]*/g))
            names.push({ at: at + inner.index, name: used[0] });
    }
  }
  return { names, prose };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const paths = process.argv.slice(2);
  const findings = findBannedWords(paths);
  if (paths.length > 0)
    for (const { file, line, found, say } of findings) console.log(`${file}:${line}: "${found}" → ${say}`);
  const counts = new Map();
  for (const { file } of findings) counts.set(file.split('/')[0], (counts.get(file.split('/')[0]) ?? 0) + 1);
  for (const [folder, count] of counts) console.log(`${String(count).padStart(6)}  ${folder}`);
  console.log(`${String(findings.length).padStart(6)} in all`);
  process.exitCode = findings.length > 0 ? 1 : 0;
}
