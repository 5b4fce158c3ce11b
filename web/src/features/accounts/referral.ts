const STORED_AS = 'omni.ref';

/** The referral code in an address, or null. */
export function codeInAddress(search: string): string | null {
  const code = new URLSearchParams(search).get('ref')?.trim();
  return code ? code : null;
}

/** Keeps the code of this page's address, on any page, for the browser session. */
export function rememberReferral(search: string): void {
  const code = codeInAddress(search);
  if (code === null) return;
  try {
    sessionStorage.setItem(STORED_AS, code);
  } catch {
    // storage is blocked: the code in the address still counts
  }
}

/** The code in the address, or else the one kept. */
export function referralCode(search: string): string | null {
  const code = codeInAddress(search);
  if (code !== null) return code;
  try {
    return sessionStorage.getItem(STORED_AS);
  } catch {
    return null;
  }
}
