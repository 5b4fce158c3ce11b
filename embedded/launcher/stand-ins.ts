import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import type { DataFolder } from './data-folder.js';
import type { PortClaims } from './port-claims.js';

/** How one of the stand-ins is started, and what the api is then told of it. */
export interface StandIn {
  /** Its page, for people. */
  url: string;
  ownEnv: Record<string, string>;
  apiEnv: Record<string, string>;
}

const LOOPBACK = '127.0.0.1';
/** Kept where they are free, so that a checkout page's address outlives a restart. */
const PAYMENTS_PORT = 4010;
const MAIL_WEB_PORT = 8025;
const SMTP_PORT = 1025;

/** The practice payment gateway. Only this machine reaches it: whoever does may pay with money that is none. */
export async function practiceGateway(data: DataFolder, ports: PortClaims, apiUrl: string): Promise<StandIn> {
  const port = await ports.next(PAYMENTS_PORT, LOOPBACK);
  const url = `http://${LOOPBACK}:${port}`;
  const derived = (what: string): string => createHmac('sha256', data.paymentsSecret).update(what).digest('base64url');
  const account = {
    PAYMENTS_API_KEY: derived('api key'),
    PAYMENTS_IPN_SECRET: derived('ipn secret'),
    PAYMENTS_EMAIL: 'shop@omni-jackpot.invalid',
    PAYMENTS_PASSWORD: derived('password'),
  };
  return {
    url,
    ownEnv: {
      ...account,
      PAYMENTS_HOST: LOOPBACK,
      PAYMENTS_PORT: String(port),
      PAYMENTS_DATA_DIR: join(data.path, 'payments'),
    },
    apiEnv: { ...account, PAYMENTS_API_URL: `${url}/v1`, PAYMENTS_CALLBACK_URL: apiUrl },
  };
}

/** The practice mail server. */
export async function practiceMail(data: DataFolder, ports: PortClaims): Promise<StandIn> {
  const webPort = await ports.next(MAIL_WEB_PORT, LOOPBACK);
  const smtpPort = await ports.next(SMTP_PORT, LOOPBACK);
  return {
    url: `http://${LOOPBACK}:${webPort}`,
    ownEnv: {
      MAIL_HOST: LOOPBACK,
      MAIL_WEB_PORT: String(webPort),
      MAIL_SMTP_PORT: String(smtpPort),
      MAIL_DATA_DIR: join(data.path, 'mail'),
    },
    apiEnv: { SMTP_URL: `smtp://${LOOPBACK}:${smtpPort}` },
  };
}
