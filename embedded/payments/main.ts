import { portSetting, requiredSetting, runStandIn } from '../shared/stand-in-process.js';
import { REAL_MINIMUMS } from './records.js';
import { startEmbeddedPayments } from './start-embedded-payments.js';

await runStandIn('payment gateway', ['url', 'apiUrl'], async () =>
  startEmbeddedPayments({
    apiKey: requiredSetting('PAYMENTS_API_KEY'),
    ipnSecret: requiredSetting('PAYMENTS_IPN_SECRET'),
    email: requiredSetting('PAYMENTS_EMAIL'),
    password: requiredSetting('PAYMENTS_PASSWORD'),
    port: portSetting('PAYMENTS_PORT', 4010),
    dataDir: process.env.PAYMENTS_DATA_DIR,
    token: process.env.PAYMENTS_STAND_IN_TOKEN || undefined,
    settings: process.env.PAYMENTS_MINIMUMS === 'real' ? { minimums: REAL_MINIMUMS } : {},
  }),
);
