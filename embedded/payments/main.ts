import { portSetting, requiredSetting, runStandIn } from '../shared/stand-in-process.js';
import { startEmbeddedPayments } from './start-embedded-payments.js';

/** The payment gateway as a process. Its settings: see the README. */
const { PAYMENTS_DATA_DIR, PAYMENTS_STAND_IN_TOKEN } = process.env;
await runStandIn('payment gateway', ['url', 'apiUrl'], async () =>
  startEmbeddedPayments({
    apiKey: requiredSetting('PAYMENTS_API_KEY'),
    ipnSecret: requiredSetting('PAYMENTS_IPN_SECRET'),
    email: requiredSetting('PAYMENTS_EMAIL'),
    password: requiredSetting('PAYMENTS_PASSWORD'),
    port: portSetting('PAYMENTS_PORT', 4010),
    ...(PAYMENTS_DATA_DIR && { dataDir: PAYMENTS_DATA_DIR }),
    ...(PAYMENTS_STAND_IN_TOKEN && { token: PAYMENTS_STAND_IN_TOKEN }),
  }),
);
