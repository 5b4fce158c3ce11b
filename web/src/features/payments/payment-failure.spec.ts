import { ApiError } from '../../shared/api/api-error.js';
import { paymentFailure } from './payment-failure.js';

describe('what a payment that could not be made says', () => {
  it('carries the server text of a 400', () => {
    const error = new ApiError(400, 'Bad Request', '{"error":"BTC deposits must be at least $15"}');
    expect(paymentFailure(error, 'deposit')).toEqual({
      title: 'Invalid Request',
      text: 'BTC deposits must be at least $15',
    });
  });

  it('asks for a login', () => {
    expect(paymentFailure(new ApiError(401, 'Unauthorized', ''), 'tokens')).toEqual({
      title: 'Authentication Error',
      text: 'Please log in to create an invoice',
    });
  });

  it('has its own words when the server had none', () => {
    expect(paymentFailure(new ApiError(502, 'Bad Gateway', '<html>'), 'deposit').text).toBe('Failed to create payment');
    expect(paymentFailure(new TypeError('Failed to fetch'), 'tokens').text).toBe('Failed to create invoice');
    expect(paymentFailure(new TypeError('Failed to fetch'), 'deposit').text).toBe('Failed to create deposit invoice');
    expect(paymentFailure(new Error('odd'), 'deposit').text).toBe('An unexpected error occurred');
  });
});
