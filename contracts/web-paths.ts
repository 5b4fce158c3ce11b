/** The paths of the client's pages; `$` begins a parameter. The server answers every other path with the client's 404 page. */
export const WEB_PATHS = [
  '/',
  '/reset-password',
  '/confirm-email',
  '/account',
  '/payment-success',
  '/gamers-guide',
  '/protection',
  '/statement',
  '/rounds/$roundId',
  '/verify',
  '/record',
  '/staff',
  '/audit',
  '/admin',
  '/admin/$panel',
  '/admin/gamers/$gamerId',
] as const;

export type WebPath = (typeof WEB_PATHS)[number];
