import { store, stored } from '../../shared/store.js';

const STORED_AS = 'omni.ref';

export function codeInAddress(search: string): string | null {
  const code = new URLSearchParams(search).get('ref')?.trim();
  return code ? code : null;
}

/** Stores the code of the page's address for the rest of the browser session. */
export function rememberReferral(search: string): void {
  const code = codeInAddress(search);
  if (code !== null) store(STORED_AS, code, 'session');
}

export const forgetReferral = (): void => store(STORED_AS, null, 'session');

export const referralCode = (search: string): string | null => codeInAddress(search) ?? stored(STORED_AS, 'session');
