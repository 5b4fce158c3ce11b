import { ApiError, outcomeUnknown, reasonOf } from './api-error.js';

describe('a failed call', () => {
  it('says the status, a colon and the body', () => {
    expect(new ApiError(400, 'Bad Request', '{"error":"No"}').message).toBe('400: {"error":"No"}');
  });

  it('says the status text when the body is empty', () => {
    expect(new ApiError(502, 'Bad Gateway', '').message).toBe('502: Bad Gateway');
  });

  it.each([
    ['{"error":"All fields are required"}', 'All fields are required'],
    ['<html>Bad gateway</html>', null],
    ['{"message":"other"}', null],
    ['{"error":""}', null],
    ['null', null],
  ])('reads the sentence for a person from %s', (body, reason) => {
    expect(new ApiError(400, '', body).reason).toBe(reason);
  });

  it('falls back when the server wrote no sentence, or was not reached', () => {
    expect(reasonOf(new ApiError(500, '', ''), 'Login failed')).toBe('Login failed');
    expect(reasonOf(new TypeError('Failed to fetch'), 'Login failed')).toBe('Login failed');
    expect(reasonOf(new ApiError(400, '', '{"error":"No"}'), 'Login failed')).toBe('No');
  });

  it('knows when a command may have been carried out', () => {
    expect(outcomeUnknown(new TypeError('Failed to fetch'))).toBe(true);
    expect(outcomeUnknown(new ApiError(503, '', ''))).toBe(true);
    expect(outcomeUnknown(new ApiError(400, '', ''))).toBe(false);
  });
});
