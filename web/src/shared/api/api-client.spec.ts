import {
  ApiError,
  codeOf,
  get,
  isOutcomeUnknown,
  laterPosition,
  pathOf,
  reasonOf,
  rememberPosition,
  requestCallbacks,
} from './api-client.js';

it('makes a path of a key: its parts joined with slashes, and a last object as the query string', () => {
  expect(pathOf(['/api', 'gamer', 'a1b2'])).toBe('/api/gamer/a1b2');
  expect(pathOf(['/api', 'gamers', { q: 'a&b', page: 2 }])).toBe('/api/gamers?q=a%26b&page=2');
});

it.each([
  ['9', '10', '10'],
  ['10', '9', '10'],
  ['9007199254740992', '9007199254740993', '9007199254740993'],
  ['7', null, '7'],
  ['7', undefined, '7'],
  ['7', '-1', '7'],
  [null, 'x', null],
])('takes of the log positions %j and %j the later valid one, by number', (known, other, later) => {
  expect(laterPosition(known, other)).toBe(later);
});

describe('the age of a response', () => {
  const key = ['/api', 'support', 'tickets'] as const;
  let fetched: jest.SpyInstance;
  let notes: [string, boolean][];

  beforeEach(() => {
    notes = [];
    requestCallbacks.onFreshness = (path, isStale) => notes.push([path, isStale]);
  });

  afterEach(() => jest.restoreAllMocks());

  function respondWith(position: string | null, status = 200): void {
    const headers: HeadersInit = position === null ? {} : { 'x-position': position };
    fetched = jest.spyOn(globalThis, 'fetch').mockResolvedValueOnce(new Response('[]', { status, headers }));
  }

  it('is stale when it is older than a position that the page knew, also that of a refusal', async () => {
    rememberPosition('10');
    respondWith('9');
    await get(key);
    expect(fetched).toHaveBeenLastCalledWith(
      '/api/support/tickets',
      expect.objectContaining({ headers: { 'X-After-Position': '10' } }),
    );
    respondWith('9', 404);
    await expect(get(key)).rejects.toThrow('404');
    respondWith('10');
    await get(key);
    respondWith('12');
    await get(key);
    expect(notes.map(([, isStale]) => isStale)).toEqual([true, true, false, false]);
    expect(notes[0]?.[0]).toBe('/api/support/tickets');
  });

  it('is current without a position, and unknown after 429 and 5xx', async () => {
    rememberPosition('13');
    respondWith(null);
    await get(key);
    respondWith(null, 403);
    await expect(get(key)).rejects.toThrow('403');
    for (const status of [429, 503]) {
      respondWith(null, status);
      await expect(get(key)).rejects.toThrow(String(status));
    }
    expect(notes.map(([, isStale]) => isStale)).toEqual([false, false]);
  });
});

describe('a failed call', () => {
  it('has the status, a colon and the body, or the status text without one, as its message', () => {
    expect(new ApiError(400, 'Bad Request', '{"error":"No"}').message).toBe('400: {"error":"No"}');
    expect(new ApiError(502, 'Bad Gateway', '').message).toBe('502: Bad Gateway');
  });

  it.each([
    ['{"error":"All fields are required","code":"all-fields-required"}', 'All fields are required'],
    ['<html>Bad gateway</html>', 'fallback'],
    ['{"message":"other"}', 'fallback'],
    ['{"error":""}', 'fallback'],
    ['null', 'fallback'],
    ['', 'fallback'],
  ])('reads the sentence for a person from %s', (body, reason) => {
    expect(reasonOf(new ApiError(400, '', body), 'fallback')).toBe(reason);
  });

  it('has the code of the refusal, and neither code nor sentence when the server could not be reached', () => {
    expect(codeOf(new ApiError(400, '', '{"error":"No","code":"email-taken"}'))).toBe('email-taken');
    expect(codeOf(new ApiError(400, '', '{"error":"No"}'))).toBeNull();
    expect(codeOf(new TypeError('Failed to fetch'))).toBeNull();
    expect(reasonOf(new TypeError('Failed to fetch'), 'Login failed')).toBe('Login failed');
  });

  it('has an unknown outcome when the server may have carried out the command', () => {
    expect(isOutcomeUnknown(new TypeError('Failed to fetch'))).toBe(true);
    expect(isOutcomeUnknown(new ApiError(503, '', ''))).toBe(true);
    expect(isOutcomeUnknown(new ApiError(400, '', ''))).toBe(false);
  });
});
