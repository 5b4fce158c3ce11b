import {
  ApiError,
  codeOf,
  get,
  laterPosition,
  outcomeUnknown,
  page,
  pathOf,
  reasonOf,
  rememberPosition,
} from './api-client.js';

describe('query paths', () => {
  it('join the parts of a key with slashes', () => {
    expect(pathOf(['/api', 'gamer', 'a1b2'])).toBe('/api/gamer/a1b2');
  });

  it('put a last object into the query string', () => {
    expect(pathOf(['/api', 'admin', 'mini', 'gamers', { q: 'a&b', page: 2 }])).toBe(
      '/api/admin/mini/gamers?q=a%26b&page=2',
    );
  });
});

describe('the later of two log positions', () => {
  it('is found by number, beyond the precision of a double', () => {
    expect(laterPosition('9', '10')).toBe('10');
    expect(laterPosition('10', '9')).toBe('10');
    expect(laterPosition('9007199254740992', '9007199254740993')).toBe('9007199254740993');
  });

  it('is the known position when the other is missing or invalid', () => {
    expect(laterPosition('7', null)).toBe('7');
    expect(laterPosition('7', undefined)).toBe('7');
    expect(laterPosition('7', '-1')).toBe('7');
    expect(laterPosition(null, 'x')).toBeNull();
  });
});

describe('the age of a response', () => {
  const key = ['/api', 'support', 'tickets'] as const;
  let fetched: jest.SpyInstance;
  let notes: [string, boolean][];

  beforeEach(() => {
    notes = [];
    page.noteAge = (path, isStale) => notes.push([path, isStale]);
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
  it('has the status, a colon and the body as its message', () => {
    expect(new ApiError(400, 'Bad Request', '{"error":"No"}').message).toBe('400: {"error":"No"}');
  });

  it('has the status text in its message when the body is empty', () => {
    expect(new ApiError(502, 'Bad Gateway', '').message).toBe('502: Bad Gateway');
  });

  it.each([
    ['{"error":"All fields are required","code":"all-fields-required"}', 'All fields are required'],
    ['<html>Bad gateway</html>', 'fallback'],
    ['{"message":"other"}', 'fallback'],
    ['{"error":""}', 'fallback'],
    ['null', 'fallback'],
  ])('reads the sentence for a person from %s', (body, reason) => {
    expect(reasonOf(new ApiError(400, '', body), 'fallback')).toBe(reason);
  });

  it('falls back when the server sent no sentence or could not be reached', () => {
    expect(reasonOf(new ApiError(500, '', ''), 'Login failed')).toBe('Login failed');
    expect(reasonOf(new TypeError('Failed to fetch'), 'Login failed')).toBe('Login failed');
  });

  it('has the code of the refusal, or null without one', () => {
    expect(codeOf(new ApiError(400, '', '{"error":"No","code":"email-taken"}'))).toBe('email-taken');
    expect(codeOf(new ApiError(400, '', '{"error":"No"}'))).toBeNull();
    expect(codeOf(new ApiError(502, '', '<html>'))).toBeNull();
    expect(codeOf(new TypeError('Failed to fetch'))).toBeNull();
  });

  it('has an unknown outcome when the server may have carried out the command', () => {
    expect(outcomeUnknown(new TypeError('Failed to fetch'))).toBe(true);
    expect(outcomeUnknown(new ApiError(503, '', ''))).toBe(true);
    expect(outcomeUnknown(new ApiError(400, '', ''))).toBe(false);
  });
});
