import { createStoredText } from '../../shared/store.js';

/** The referral code of the address, for the rest of the browser session. */
export const referral = createStoredText('omni.ref', 'session');

export function rememberReferral(search: string): void {
  const code = new URLSearchParams(search).get('ref')?.trim();
  if (code) referral.set(code);
}

/** The gamer who registered in this browser and has bought nothing yet. */
export const newcomer = createStoredText('omni.newcomer');
