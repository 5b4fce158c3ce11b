import { ApiError, codeOf } from '../api/api-client.js';

/** The ledger's signed head, as of `size` if given; null when the server says that the ledger was never that long. */
export async function fetchCheckpoint(size?: number): Promise<string | null> {
  const response = await fetch(`/api/ledger/checkpoint${size === undefined ? '' : `?size=${size}`}`, {
    cache: 'no-store',
  });
  const text = await response.text();
  if (response.ok) return text;
  const error = new ApiError(response.status, response.statusText, text);
  if (codeOf(error) === 'event-not-found') return null;
  throw error;
}
