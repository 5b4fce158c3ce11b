import { words } from '../contracts/words.js';

const SECRETS = [
  ...words('SESSION_SECRET LEDGER_SIGNING_SECRET LEDGER_SIGNING_SECRET_BEFORE PUSH_SECRET SECOND_FACTOR_SECRET'),
  ...words('EXCLUSION_SECRET ADMIN_PASSWORD METRICS_TOKEN PAYMENTS_API_KEY PAYMENTS_IPN_SECRET PAYMENTS_PASSWORD'),
];
const URLS = words(
  'DATABASE_URL EVENT_STORE_URL READER_EVENT_STORE_URL SMTP_URL PAYMENTS_API_URL PAYMENTS_CALLBACK_URL',
);
/** A shorter secret would blank out parts of ordinary words. */
const MIN_LENGTH = 4;
const REPLACEMENT = '[secret]';

/** Returns a function that replaces every secret of these settings in a text, also where it is escaped for JSON or a URL. */
export function secretRedactor(env: Readonly<Record<string, string | undefined>>): (text: string) => string {
  const secrets = [...SECRETS.map((name) => env[name] ?? ''), ...URLS.flatMap((name) => secretsOfUrl(env[name] ?? ''))]
    .flatMap((secret) => [secret, decoded(secret), encodeURIComponent(secret)])
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
    .filter((secret) => secret.length >= MIN_LENGTH)
    .sort((a, b) => b.length - a.length)
    .map((secret) => secret.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (secrets.length === 0) return (text) => text;
  const pattern = new RegExp([...new Set(secrets)].join('|'), 'g');
  return (text) => text.replace(pattern, REPLACEMENT);
}

/** The password in a URL, and the URL with it; found by patterns, because the URL may be invalid. */
const secretsOfUrl = (url: string): string[] =>
  [/\/\/[^:@/]*:([^@]*)@/g, /:([^:@/]+)@/g, /[?&]password=([^&]*)/gi]
    .flatMap((pattern) => [...url.matchAll(pattern)])
    .flatMap(([, password = '']) => [url, password]);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
