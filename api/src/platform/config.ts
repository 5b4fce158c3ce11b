import { isEmail } from 'class-validator';
import proxyAddress from 'proxy-addr';
import { HOUR_SECONDS, MINUTE_SECONDS } from '../../../contracts/durations.js';
import * as limits from '../../../contracts/limits.js';
import * as protection from '../../../contracts/protection.js';
import { words } from '../../../contracts/words.js';
import {
  databaseUrlSetting,
  InvalidSetting,
  logLevelSetting,
  requiredSetting,
  streamPrefixSetting,
} from '../../../event-log/settings.js';

const QUARTER_HOUR_SECONDS = 15 * MINUTE_SECONDS;

/** Each limit's setting, its default, and its time where all nodes count together. `RATE_LIMITS=off` turns all off, for load runs. */
export const ATTEMPT_LIMITS = {
  /** Failed logins. */
  loginsPerAccountAndAddress: ['LIMIT_LOGINS_PER_ACCOUNT_AND_ADDRESS', 10, QUARTER_HOUR_SECONDS],
  loginsPerAddress: ['LIMIT_LOGINS_PER_ADDRESS', 60, QUARTER_HOUR_SECONDS],
  loginsPerAccountFromStrangers: ['LIMIT_LOGINS_PER_ACCOUNT_FROM_STRANGERS', 100, HOUR_SECONDS],
  /** Correct logins of one account, and from one address. */
  successfulLoginsPerAccount: ['LIMIT_SUCCESSFUL_LOGINS_PER_ACCOUNT', 60, QUARTER_HOUR_SECONDS],
  successfulLoginsPerAddress: ['LIMIT_SUCCESSFUL_LOGINS_PER_ADDRESS', 300, QUARTER_HOUR_SECONDS],
  /** Wrong codes of one account's second factor, and wrong current passwords while logged in. */
  proofsPerAccount: ['LIMIT_PROOFS_PER_ACCOUNT', 5, QUARTER_HOUR_SECONDS],
  registrationsPerAddress: ['LIMIT_REGISTRATIONS_PER_ADDRESS', 20, HOUR_SECONDS],
  /** Requests for a reset link with one GamerTag and email, existing or not. */
  mailedLinksPerAccount: ['LIMIT_MAILED_LINKS_PER_ACCOUNT', 5, HOUR_SECONDS],
  /** Requests for reset links and uses of links from one address. */
  mailedLinksPerAddress: ['LIMIT_MAILED_LINKS_PER_ADDRESS', 30, HOUR_SECONDS],
  postsPerGamer: ['LIMIT_POSTS_PER_GAMER', limits.POSTS_PER_GAMER_AND_MINUTE, MINUTE_SECONDS],
  ticketsPerGamer: ['LIMIT_TICKETS_PER_GAMER', limits.TICKETS_PER_GAMER_AND_HOUR, HOUR_SECONDS],
  /** Invoices of one gamer, for tokens and deposits together. */
  invoicesPerGamer: ['LIMIT_INVOICES_PER_GAMER', limits.INVOICES_PER_GAMER_AND_HOUR, HOUR_SECONDS],
  walletChangesPerGamer: ['LIMIT_WALLET_CHANGES_PER_GAMER', limits.WALLET_CHANGES_PER_GAMER_AND_HOUR, HOUR_SECONDS],
  /** Open sockets of one address, which many gamers may share, on one node. */
  socketsPerAddress: ['LIMIT_SOCKETS_PER_ADDRESS', 500],
  /** Requests in ten seconds on one node. An address may be shared by many gamers. */
  purchaseRequestsPerGamer: ['LIMIT_PURCHASE_REQUESTS_PER_GAMER', 100],
  purchaseRequestsPerAddress: ['LIMIT_PURCHASE_REQUESTS_PER_ADDRESS', 1_000],
  readsPerGamer: ['LIMIT_READS_PER_GAMER', 300],
  readsPerAddress: ['LIMIT_READS_PER_ADDRESS', 3_000],
  longReadsPerGamer: ['LIMIT_LONG_READS_PER_GAMER', 100],
  longReadsPerAddress: ['LIMIT_LONG_READS_PER_ADDRESS', 300],
  writesPerGamer: ['LIMIT_WRITES_PER_GAMER', 100],
  writesPerAddress: ['LIMIT_WRITES_PER_ADDRESS', 1_000],
  /** Messages of one socket in ten seconds; a browser sends one every five seconds. */
  messagesPerSocket: ['LIMIT_MESSAGES_PER_SOCKET', 50],
  /** Messages of all sockets of one address in ten seconds on one node. */
  messagesPerAddress: ['LIMIT_MESSAGES_PER_ADDRESS', 2_000],
} as const satisfies Record<string, readonly [setting: string, byDefault: number, seconds?: number]>;

export const UNLIMITED = Number.MAX_SAFE_INTEGER;

const MIN_SECRET_LENGTH = 16;
const SECRETS = words(
  'SESSION_SECRET LEDGER_SIGNING_SECRET LEDGER_SIGNING_SECRET_BEFORE EXCLUSION_SECRET PUSH_SECRET SECOND_FACTOR_SECRET',
);

/** The push services of Chrome and Edge, Firefox, Windows and Safari. */
const PUSH_SERVICES = ['fcm.googleapis.com', 'push.services.mozilla.com', 'notify.windows.com', 'push.apple.com'];

export const CALLBACK_PATH = '/api/payments/ipn';

/** The api's settings, read once from the environment. Throws when one is missing or invalid. */
export class Config {
  readonly databaseUrl = databaseUrlSetting(this.env);
  readonly eventStoreUrl = requiredSetting(this.env, 'EVENT_STORE_URL');
  readonly streamPrefix = streamPrefixSetting(this.env);
  /** The auditor's command reads as this user, who has no right to write, where the event store has users. */
  readonly readerEventStoreUrl = this.env.READER_EVENT_STORE_URL || this.eventStoreUrl;
  readonly host = this.env.HOST || '127.0.0.1';
  readonly port = wholeNumber(this.env, 'PORT', 3000, 0);
  /** Origins that may send state-changing requests and open sockets. Empty: only the request's own host. */
  readonly publicOrigins: readonly string[] = list(this.env.PUBLIC_ORIGIN).map(toOrigin);
  readonly sessionSecret = requiredSetting(this.env, 'SESSION_SECRET');
  /** Secrets of the keys that sign the ledger's heads: the one in force, then the one that it replaces. */
  readonly ledgerSigningSecrets: readonly string[] = [
    this.env.LEDGER_SIGNING_SECRET || this.sessionSecret,
    ...(this.env.LEDGER_SIGNING_SECRET_BEFORE ? [this.env.LEDGER_SIGNING_SECRET_BEFORE] : []),
  ];
  /** The policy of the ledger's witnesses (docs/receipts.md); empty without. */
  readonly witnesses = this.env.WITNESSES ?? '';
  /** The log's name, by which witnesses know it; another one begins another log. */
  readonly ledgerName = this.env.LEDGER_NAME || `${new URL(this.linkOrigin).host}/ledger`;
  /** Secret of the key that signs push messages. Another key ends all subscriptions. */
  readonly pushSecret = this.env.PUSH_SECRET || this.sessionSecret;
  /** Secret of the key that encrypts staff's second factors. Another key makes them useless: all must be enrolled again. */
  readonly secondFactorSecret = this.env.SECOND_FACTOR_SECRET || this.sessionSecret;
  /** Secrets of the digests of excluded mailboxes: the one in force, and former ones, without which those gamers could register again. */
  readonly exclusionSecrets: readonly string[] = [
    ...(this.env.EXCLUSION_SECRET ? [this.env.EXCLUSION_SECRET] : []),
    this.sessionSecret,
  ];
  /** The site's limits and obligations for all gamers (decision 58). */
  readonly protectionProfile = protectionProfile(this.env.PROTECTION_PROFILE || 'none');
  /** The push services of browsers: domains, reached by https, or whole origins. */
  readonly pushServices: readonly string[] = this.env.PUSH_SERVICES ? list(this.env.PUSH_SERVICES) : PUSH_SERVICES;
  /** Minutes of play between two reality checks; a gamer may choose a shorter time. */
  readonly realityCheckMinutes = realityCheckMinutes(this.env, this.protectionProfile.profile);
  readonly adminGamerTag = this.env.ADMIN_GAMER_TAG || 'admin';
  /** Mail to .invalid is never delivered (RFC 2606), so a reset link cannot reach another person. */
  readonly adminEmail = this.env.ADMIN_EMAIL || 'admin@omni-jackpot.invalid';
  readonly adminPassword = this.env.ADMIN_PASSWORD || null;
  /** Folder of the built client; null: the api serves no pages. */
  readonly webRoot = this.env.WEB_ROOT || null;
  readonly attemptLimits = attemptLimits(this.env);
  readonly logLevel = logLevelSetting(this.env);
  /** The proxies whose `X-Forwarded-…` headers count: their number, their addresses, or none. */
  readonly trustProxy = trustProxy(this.env.TRUST_PROXY, this.publicOrigins);
  /** Bearer token for reading /api/metrics from another machine. */
  readonly metricsToken = this.env.METRICS_TOKEN || null;
  /** `smtp://user:password@host:port` or `smtps://…`; null: no mail is sent. */
  readonly smtpUrl = smtpUrl(this.env.SMTP_URL);
  /** The payment gateway; null: payments are off, so no invoice can be created. */
  readonly payments = paymentsConfig(this.env, this.linkOrigin, this.isHttpsOnly);
  readonly mailFrom = this.env.MAIL_FROM || 'Omni Jackpot <no-reply@omni-jackpot.invalid>';

  constructor(private readonly env: NodeJS.ProcessEnv) {
    for (const name of SECRETS)
      if (env[name] && env[name].length < MIN_SECRET_LENGTH)
        throw new InvalidSetting(`${name} must have at least ${MIN_SECRET_LENGTH} characters`);
    if (!limits.GAMER_TAG_PATTERN.test(this.adminGamerTag))
      throw new InvalidSetting('ADMIN_GAMER_TAG is not a valid GamerTag');
    if (!/^[^\s+]+$/.test(this.ledgerName))
      throw new InvalidSetting('LEDGER_NAME must have no spaces and no plus signs');
    if (!isEmail(this.adminEmail)) throw new InvalidSetting('ADMIN_EMAIL is not an email address');
    if (!isEmail(this.mailFrom, { allow_display_name: true }))
      throw new InvalidSetting('MAIL_FROM must be an address such as Omni Jackpot <no-reply@example.com>');
  }

  /** Origin of links in mails. Not taken from a request's Host header, which its sender chooses. */
  get linkOrigin(): string {
    return this.publicOrigins[0] ?? `http://${reachable(this.host)}:${this.port}`;
  }

  /** True when every public origin is https: cookies are then sent over https only. */
  get isHttpsOnly(): boolean {
    return this.publicOrigins.length > 0 && this.publicOrigins.every((origin) => origin.startsWith('https://'));
  }
}

/** A host for links: `localhost` in place of the wildcard addresses. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

function attemptLimits(env: NodeJS.ProcessEnv): Record<keyof typeof ATTEMPT_LIMITS, number> {
  const isOn = env.RATE_LIMITS || 'on';
  if (isOn !== 'on' && isOn !== 'off') throw new InvalidSetting('RATE_LIMITS must be on or off');
  const entries = Object.entries(ATTEMPT_LIMITS).map(([limit, [setting, byDefault]]) => [
    limit,
    isOn === 'on' ? wholeNumber(env, setting, byDefault, 1) : UNLIMITED,
  ]);
  return Object.fromEntries(entries);
}

/** With an https origin a proxy on a private address is trusted; else a client could set `X-Forwarded-For`. */
function trustProxy(value: string | undefined, origins: readonly string[]): string | number | false {
  if (!value) return origins.some((origin) => origin.startsWith('https://')) ? 'loopback, uniquelocal' : false;
  if (value === 'off') return false;
  if (/^\d+$/.test(value)) return Number(value);
  try {
    proxyAddress.compile(value.split(/ *, */));
    return value;
  } catch {
    throw new InvalidSetting('TRUST_PROXY must be off, a number of proxies, or their addresses, separated by commas');
  }
}

function protectionProfile(name: string): protection.ProtectionProfile {
  const known = protection.PROFILE_NAMES.find((one) => one === name);
  if (known === undefined)
    throw new InvalidSetting(`PROTECTION_PROFILE must be one of ${protection.PROFILE_NAMES.join(', ')}`);
  return protection.PROTECTION_PROFILES[known];
}

function realityCheckMinutes(env: NodeJS.ProcessEnv, profile: protection.ProfileName): number {
  const longest = protection.LONGEST_REALITY_CHECKS[profile];
  const minutes = wholeNumber(env, 'REALITY_CHECK_MINUTES', longest ?? protection.REALITY_CHECK_MINUTES, 1);
  if (longest !== null && minutes > longest)
    throw new InvalidSetting(`REALITY_CHECK_MINUTES must be at most ${longest} with PROTECTION_PROFILE=${profile}`);
  return minutes;
}

function smtpUrl(value: string | undefined): string | null {
  if (!value) return null;
  const protocol = URL.canParse(value) ? new URL(value).protocol : null;
  // The message leaves the value out, because it may hold a password.
  if (protocol !== 'smtp:' && protocol !== 'smtps:')
    throw new InvalidSetting('SMTP_URL must begin with smtp:// or smtps://');
  return value;
}

function wholeNumber(env: NodeJS.ProcessEnv, name: string, byDefault: number, min: number): number {
  const value = env[name];
  if (!value) return byDefault;
  if (!/^\d{1,9}$/.test(value) || Number(value) < min)
    throw new InvalidSetting(`${name} must be a whole number from ${min}`);
  return Number(value);
}

const list = (value: string | undefined): string[] =>
  (value ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

function toOrigin(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new InvalidSetting('PUBLIC_ORIGIN must hold origins such as https://example.com, separated by commas');
  return url.origin;
}

/** @param ownUrl the api's own address, used for callbacks unless PAYMENTS_CALLBACK_URL is set */
function paymentsConfig(env: NodeJS.ProcessEnv, ownUrl: string, isHttpsOnly: boolean) {
  if (!env.PAYMENTS_API_URL) return null;
  const base = env.PAYMENTS_CALLBACK_URL || ownUrl;
  if (!isWebAddress(base)) throw new InvalidSetting('PAYMENTS_CALLBACK_URL must begin with http:// or https://');
  if (isHttpsOnly && !base.startsWith('https://') && !isOfThisMachine(base))
    throw new InvalidSetting('PAYMENTS_CALLBACK_URL must begin with https://, because the site is https');
  if (!['', 'no', 'yes'].includes(env.PAYOUTS_BY_GATEWAY ?? ''))
    throw new InvalidSetting('PAYOUTS_BY_GATEWAY must be yes or no');
  if (!isWebAddress(env.PAYMENTS_API_URL))
    throw new InvalidSetting('PAYMENTS_API_URL must begin with http:// or https://');
  return {
    apiUrl: env.PAYMENTS_API_URL,
    apiKey: gatewaySetting(env, 'PAYMENTS_API_KEY'),
    ipnSecret: gatewaySetting(env, 'PAYMENTS_IPN_SECRET'),
    email: gatewaySetting(env, 'PAYMENTS_EMAIL'),
    password: gatewaySetting(env, 'PAYMENTS_PASSWORD'),
    /** Whether admins may order payouts from the gateway. */
    payoutsByGateway: env.PAYOUTS_BY_GATEWAY === 'yes',
    /** The address of the api's callback route, as the gateway reaches it. */
    callbackUrl: base.replace(/\/+$/, '') + CALLBACK_PATH,
  };
}

function gatewaySetting(env: NodeJS.ProcessEnv, name: string): string {
  const value = env[name];
  if (!value) throw new InvalidSetting(`${name} is not set, but PAYMENTS_API_URL is`);
  return value;
}

const isWebAddress = (value: string): boolean => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);

const isOfThisMachine = (value: string): boolean => /^(localhost|127\.0\.0\.1|\[::1\])$/.test(new URL(value).hostname);
