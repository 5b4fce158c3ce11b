/** Where coins are taken for us. Null in the configuration: nowhere, and nothing can be paid in. */
export interface PaymentsConfig {
  apiUrl: string;
  apiKey: string;
  /** Signs the gateway's callbacks. */
  ipnSecret: string;
  email: string;
  password: string;
  /** This api as the gateway reaches it. */
  callbackUrl: string;
}

export const CALLBACK_PATH = '/api/payments/ipn';

/** @param ownUrl taken for the callbacks when PAYMENTS_CALLBACK_URL does not say otherwise. */
export function paymentsConfig(env: NodeJS.ProcessEnv, ownUrl: string): PaymentsConfig | null {
  if (!env.PAYMENTS_API_URL) return null;
  const base = env.PAYMENTS_CALLBACK_URL || ownUrl;
  if (!isWebAddress(base)) throw new Error('PAYMENTS_CALLBACK_URL must begin with http:// or https://');
  if (!isWebAddress(env.PAYMENTS_API_URL)) throw new Error('PAYMENTS_API_URL must begin with http:// or https://');
  return {
    apiUrl: env.PAYMENTS_API_URL,
    apiKey: required(env, 'PAYMENTS_API_KEY'),
    ipnSecret: required(env, 'PAYMENTS_IPN_SECRET'),
    email: required(env, 'PAYMENTS_EMAIL'),
    password: required(env, 'PAYMENTS_PASSWORD'),
    callbackUrl: base.replace(/\/+$/, '') + CALLBACK_PATH,
  };
}

function required(env: NodeJS.ProcessEnv, name: string): string {
  const value = env[name];
  if (!value) throw new Error(`${name} is not set, but PAYMENTS_API_URL is`);
  return value;
}

const isWebAddress = (value: string): boolean => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
