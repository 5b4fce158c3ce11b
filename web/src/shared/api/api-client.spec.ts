import { pathOf } from './api-client.js';

describe('query paths', () => {
  it('joins the parts of a key with slashes', () => {
    expect(pathOf(['/api', 'gamer', 'a1b2'])).toBe('/api/gamer/a1b2');
  });

  it('puts a last object into the query string', () => {
    expect(pathOf(['/api', 'admin', 'mini', 'gamers', { q: 'a&b', page: 2 }])).toBe(
      '/api/admin/mini/gamers?q=a%26b&page=2',
    );
  });
});
