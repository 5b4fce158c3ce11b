import { type EmbeddedPaymentsOptions, startEmbeddedPayments } from './start-embedded-payments.js';

/**
 * The payment gateway as a process. Environment: PAYMENTS_API_KEY, PAYMENTS_IPN_SECRET, PAYMENTS_EMAIL and
 * PAYMENTS_PASSWORD, which the shop has too; PAYMENTS_PORT (4010) and PAYMENTS_HOST (127.0.0.1); PAYMENTS_PUBLIC_URL
 * where browsers reach it by another address; PAYMENTS_DATA_DIR, without which nothing outlives the process.
 */
const payments = await startEmbeddedPayments(readOptions());

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    payments.close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error('The payment gateway could not close:', error);
        process.exit(1);
      },
    );
  });
}

console.log(JSON.stringify({ ready: true, url: payments.url, apiUrl: payments.apiUrl }));

function readOptions(): EmbeddedPaymentsOptions {
  const { env } = process;
  const options: EmbeddedPaymentsOptions = {
    apiKey: required('PAYMENTS_API_KEY'),
    ipnSecret: required('PAYMENTS_IPN_SECRET'),
    email: required('PAYMENTS_EMAIL'),
    password: required('PAYMENTS_PASSWORD'),
    host: env.PAYMENTS_HOST || '127.0.0.1',
    port: portNumber(env.PAYMENTS_PORT || '4010'),
  };
  if (env.PAYMENTS_PUBLIC_URL) options.publicUrl = env.PAYMENTS_PUBLIC_URL;
  if (env.PAYMENTS_DATA_DIR) options.dataDir = env.PAYMENTS_DATA_DIR;
  return options;
}

function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`${name} must be set.`);
  return value;
}

function portNumber(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`PAYMENTS_PORT is ${text}, no port.`);
  return port;
}
