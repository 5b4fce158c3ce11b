import {
  GAMER_TAG_PATTERN,
  INVOICES_PER_GAMER_AND_HOUR,
  POSTS_PER_GAMER_AND_MINUTE,
  TICKETS_PER_GAMER_AND_HOUR,
  WALLET_CHANGES_PER_GAMER_AND_HOUR,
} from '../../contracts/limits.js';
import { type PaymentsConfig, paymentsConfig } from './payments/payments.config.js';

/** How many attempts are allowed; null means that nothing is limited (`RATE_LIMITS=off`, for load runs and tests). */
export interface AttemptLimits {
  /** Failed logins of one account from one address, per 15 minutes. */
  loginsPerAccountAndAddress: number;
  /** Failed logins from one address, whatever the account, per 15 minutes. */
  loginsPerAddress: number;
  /** Failed logins of one account from addresses that its gamer never logged in from, per hour. */
  loginsPerAccountFromStrangers: number;
  /** Registrations from one address per hour. */
  registrationsPerAddress: number;
  /** Password resets asked for with one GamerTag and email, existing or not, per hour: so many mails at most. */
  passwordResetsPerAccount: number;
  /** Password resets asked for, or links tried, from one address, per hour. */
  passwordResetsPerAddress: number;
  /** Community posts of one gamer, per minute. */
  postsPerGamer: number;
  /** Support tickets opened by one gamer, per hour. */
  ticketsPerGamer: number;
  /** Invoices opened by one gamer, for tokens and deposits together, per hour. */
  invoicesPerGamer: number;
  /** Wallet addresses saved by one gamer, per hour. */
  walletChangesPerGamer: number;
  /** Sockets that one address, which many gamers may share, has open on one node. */
  socketsPerAddress: number;
}

/** The api's settings, read once from the environment. Throws on one that is missing or wrong. */
export class Config {
  readonly databaseUrl: string;
  readonly eventStoreUrl: string;
  readonly host: string;
  readonly port: number;
  /** Origins that may send state-changing requests and open sockets; empty: the request's own host. */
  readonly publicOrigins: readonly string[];
  readonly sessionSecret: string;
  readonly adminGamerTag: string;
  readonly adminEmail: string;
  readonly adminPassword: string | null;
  /** The built client; null: the api serves no pages. */
  readonly webRoot: string | null;
  readonly attemptLimits: AttemptLimits | null;
  readonly logLevel: string;
  /** Express's `trust proxy`. */
  readonly trustProxy: string | number | false;
  /** Lets a scraper from elsewhere read /api/metrics (`Authorization: Bearer`). */
  readonly metricsToken: string | null;
  /** `smtp://user:password@host:port` or `smtps://…`; null: no mail is sent. */
  readonly smtpUrl: string | null;
  /** The payment gateway; null: nobody can pay in. */
  readonly payments: PaymentsConfig | null;
  /** The sender of our mails. */
  readonly mailFrom: string;

  constructor(env: NodeJS.ProcessEnv) {
    this.databaseUrl = required(env, 'DATABASE_URL');
    this.eventStoreUrl = required(env, 'EVENT_STORE_URL');
    this.host = env.HOST || '127.0.0.1';
    this.port = wholeNumber(env, 'PORT', 3000, 0);
    this.publicOrigins = list(env.PUBLIC_ORIGIN).map(toOrigin);
    this.sessionSecret = required(env, 'SESSION_SECRET');
    if (this.sessionSecret.length < 16) throw new Error('SESSION_SECRET must have at least 16 characters');
    this.adminGamerTag = env.ADMIN_GAMER_TAG || 'admin';
    if (!GAMER_TAG_PATTERN.test(this.adminGamerTag)) throw new Error('ADMIN_GAMER_TAG is no GamerTag');
    // .invalid can never be delivered to (RFC 2606): nobody can take the admin's account over by its address.
    this.adminEmail = env.ADMIN_EMAIL || 'admin@omni-jackpot.invalid';
    this.adminPassword = env.ADMIN_PASSWORD || null;
    this.webRoot = env.WEB_ROOT || null;
    this.attemptLimits = attemptLimits(env);
    this.logLevel = env.LOG_LEVEL || 'info';
    this.trustProxy = trustProxy(env.TRUST_PROXY, this.publicOrigins);
    this.metricsToken = env.METRICS_TOKEN || null;
    this.smtpUrl = smtpUrl(env.SMTP_URL);
    this.payments = paymentsConfig(env, this.linkOrigin);
    this.mailFrom = env.MAIL_FROM || 'Omni Jackpot <no-reply@omni-jackpot.invalid>';
  }

  /** Where links in mails lead: never where a request says it was sent to, which its sender could choose. */
  get linkOrigin(): string {
    return this.publicOrigins[0] ?? `http://${reachable(this.host)}:${this.port}`;
  }

  /** True when every public origin is https: cookies are then sent over https only. */
  get isHttpsOnly(): boolean {
    return this.publicOrigins.length > 0 && this.publicOrigins.every((origin) => origin.startsWith('https://'));
  }
}

/** Listening everywhere is no place that a link can lead to. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

function attemptLimits(env: NodeJS.ProcessEnv): AttemptLimits | null {
  const isOn = env.RATE_LIMITS || 'on';
  if (isOn !== 'on' && isOn !== 'off') throw new Error('RATE_LIMITS must be on or off');
  if (isOn === 'off') return null;
  return {
    loginsPerAccountAndAddress: wholeNumber(env, 'LIMIT_LOGINS_PER_ACCOUNT_AND_ADDRESS', 10, 1),
    loginsPerAddress: wholeNumber(env, 'LIMIT_LOGINS_PER_ADDRESS', 60, 1),
    loginsPerAccountFromStrangers: wholeNumber(env, 'LIMIT_LOGINS_PER_ACCOUNT_FROM_STRANGERS', 100, 1),
    registrationsPerAddress: wholeNumber(env, 'LIMIT_REGISTRATIONS_PER_ADDRESS', 20, 1),
    passwordResetsPerAccount: wholeNumber(env, 'LIMIT_PASSWORD_RESETS_PER_ACCOUNT', 5, 1),
    passwordResetsPerAddress: wholeNumber(env, 'LIMIT_PASSWORD_RESETS_PER_ADDRESS', 30, 1),
    postsPerGamer: wholeNumber(env, 'LIMIT_POSTS_PER_GAMER', POSTS_PER_GAMER_AND_MINUTE, 1),
    ticketsPerGamer: wholeNumber(env, 'LIMIT_TICKETS_PER_GAMER', TICKETS_PER_GAMER_AND_HOUR, 1),
    invoicesPerGamer: wholeNumber(env, 'LIMIT_INVOICES_PER_GAMER', INVOICES_PER_GAMER_AND_HOUR, 1),
    walletChangesPerGamer: wholeNumber(env, 'LIMIT_WALLET_CHANGES_PER_GAMER', WALLET_CHANGES_PER_GAMER_AND_HOUR, 1),
    socketsPerAddress: wholeNumber(env, 'LIMIT_SOCKETS_PER_ADDRESS', 500, 1),
  };
}

/**
 * Behind https there is a proxy that ends TLS, by default on a private address. Without https nobody in front is
 * believed: anyone could write `X-Forwarded-For` and slip past the limits by address.
 */
function trustProxy(value: string | undefined, origins: readonly string[]): string | number | false {
  if (!value) return origins.some((origin) => origin.startsWith('https://')) ? 'loopback, uniquelocal' : false;
  if (value === 'off') return false;
  return /^\d+$/.test(value) ? Number(value) : value;
}

function smtpUrl(value: string | undefined): string | null {
  if (!value) return null;
  const protocol = URL.canParse(value) ? new URL(value).protocol : null;
  // Without the value: it may hold a password.
  if (protocol !== 'smtp:' && protocol !== 'smtps:') throw new Error('SMTP_URL must begin with smtp:// or smtps://');
  return value;
}

function required(env: NodeJS.ProcessEnv, name: string): string {
  const value = env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}

function wholeNumber(env: NodeJS.ProcessEnv, name: string, byDefault: number, least: number): number {
  const value = env[name];
  if (!value) return byDefault;
  if (!/^\d{1,9}$/.test(value) || Number(value) < least)
    throw new Error(`${name} must be a whole number from ${least}`);
  return Number(value);
}

const list = (value: string | undefined): string[] =>
  (value ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

function toOrigin(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') throw new Error(`PUBLIC_ORIGIN: ${value} is no origin`);
  return url.origin;
}
