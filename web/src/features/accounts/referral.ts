const STORED_AS = 'omni.ref';

export function codeInAddress(search: string): string | null {
  const code = new URLSearchParams(search).get('ref')?.trim();
  return code ? code : null;
}

/** Stores the code of the page's address for the rest of the browser session. */
export function rememberReferral(search: string): void {
  const code = codeInAddress(search);
  if (code === null) return;
  try {
    sessionStorage.setItem(STORED_AS, code);
  } catch {
    // Storage is blocked: only the code in the address counts.
  }
}

/** Removes the stored code. A code in the address stays: the caller changes the address. */
export function forgetReferral(): void {
  try {
    sessionStorage.removeItem(STORED_AS);
  } catch {
    // see rememberReferral()
  }
}

export function referralCode(search: string): string | null {
  const code = codeInAddress(search);
  if (code !== null) return code;
  try {
    return sessionStorage.getItem(STORED_AS);
  } catch {
    return null;
  }
}
