import type { PaymentStatusResponse } from '../../../../contracts/http/payments.js';
import { ApiError, reasonOf } from '../../shared/api/api-error.js';

const words = {
  tokens: { login: 'Please log in to create an invoice', unreached: 'Failed to create invoice' },
  deposit: { login: 'Please log in to create a deposit', unreached: 'Failed to create deposit invoice' },
} as const;

/** Who is not logged in cannot have an invoice made. */
export const notLoggedIn = (purpose: PaymentStatusResponse['purpose']) => ({
  title: 'Authentication Error',
  text: words[purpose].login,
});

/** Specification §8: a 400 carries the server's text; a call that failed on its way has its own. */
export function paymentFailure(
  error: unknown,
  purpose: PaymentStatusResponse['purpose'],
): { title: string; text: string } {
  if (error instanceof ApiError) {
    if (error.status === 401) return notLoggedIn(purpose);
    const text = reasonOf(error, 'Failed to create payment');
    return { title: error.status === 400 ? 'Invalid Request' : 'Error', text };
  }
  if (error instanceof TypeError) return { title: 'Error', text: words[purpose].unreached };
  return { title: 'Error', text: 'An unexpected error occurred' };
}
