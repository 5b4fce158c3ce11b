/** Only web pages are opened: an answer must never make the browser run `javascript:`. */
export function paymentPageUrl(url: string): string | null {
  try {
    const { protocol } = new URL(url);
    return protocol === 'https:' || protocol === 'http:' ? url : null;
  } catch {
    return null;
  }
}

/**
 * Opens the payment page in a tab of its own that cannot reach back (noopener). With the feature of that name a browser
 * does not tell whether it opened one, so the tab is cut off by hand. False when the browser blocked it.
 */
export function openPaymentPage(url: string): boolean {
  const page = paymentPageUrl(url);
  if (page === null) return false;
  const tab = window.open('', '_blank');
  if (tab === null) return false;
  tab.opener = null;
  tab.location.replace(page);
  return true;
}
