import { createStore, store, stored } from '../../shared/store.js';

const STORED_AS = 'omni.ref';

/** The referral code of the address, for the rest of the browser session. */
export const referral = createStore(stored(STORED_AS, 'session'));

export function rememberReferral(search: string): void {
  const code = new URLSearchParams(search).get('ref')?.trim();
  if (code) setReferral(code);
}

export const forgetReferral = (): void => setReferral(null);

function setReferral(code: string | null): void {
  store(STORED_AS, code, 'session');
  referral.set(code);
}

const KNOWN_STORED_AS = 'omni.known';

/** Whether somebody has logged in with this browser before, so that no invitation is shown. */
export const isKnownHere = (): boolean => stored(KNOWN_STORED_AS) !== null;
export const setKnownHere = (): void => store(KNOWN_STORED_AS, 'yes');

const NEWCOMER_STORED_AS = 'omni.newcomer';

/** The gamer who registered in this browser and has bought nothing yet. */
export const newcomer = createStore(stored(NEWCOMER_STORED_AS));

export function setNewcomer(id: string | null): void {
  store(NEWCOMER_STORED_AS, id);
  newcomer.set(id);
}
