import type { FastifyRequest, HookHandlerDoneFunction, onRequestHookHandler } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Config } from '../platform/config.js';
import { Refused, Unavailable } from '../platform/failures.js';
import { networkOf } from './client-address.js';

const WINDOW_SECONDS = 10;

/** `longReads` take Postgres or this process tens of milliseconds each. */
const LANES = ['purchaseRequests', 'reads', 'longReads', 'writes'] as const;
type Lane = (typeof LANES)[number];

const LONG_READS =
  /^\/api\/(?:(?:genealogy|audit|admin|ledger\/events|ledger\/rounds)\/|gamer\/:id\/movements$|rounds\/:roundId$)/;
/** The client's files; load balancers and Prometheus must always get a response. */
const UNLIMITED = /^\/(?:(?!(?:api|log)\/)|api\/(?:health|metrics))/;

export function laneOf({ method, route }: FastifyRequest): Lane {
  if (method !== 'GET' && method !== 'HEAD') return route === '/api/buy-from-balance' ? 'purchaseRequests' : 'writes';
  return LONG_READS.test(route) ? 'longReads' : 'reads';
}

/** Limits of concurrent and of waiting long reads. A long read beyond both is answered with 503. */
const LONG_READS_AT_ONCE = 4;
const LONG_READS_WAITING = 60;

/** Limits every route's requests per gamer and per address on this node (decision 44). `byAddress` comes before the session. */
export function requestRates({
  attemptLimits,
}: Config): Record<'byAddress' | 'byGamer' | 'longReads', onRequestHookHandler> {
  const limitersPer = (whom: 'Address' | 'Gamer') => {
    const limiterOf = (lane: Lane) =>
      new RateLimiterMemory({ points: attemptLimits[`${lane}Per${whom}`], duration: WINDOW_SECONDS });
    return Object.fromEntries(LANES.map((lane) => [lane, limiterOf(lane)])) as Record<Lane, RateLimiterMemory>;
  };
  const perAddress = limitersPer('Address');
  const perGamer = limitersPer('Gamer');
  return {
    byAddress: (request, _reply, done) => {
      if (UNLIMITED.test(request.route)) return done();
      count(perAddress[laneOf(request)], networkOf(request.ip ?? 'unknown'), done);
    },
    byGamer: (request, _reply, done) => {
      if (!request.session) return done();
      count(perGamer[laneOf(request)], request.session.gamerId, done);
    },
    longReads: longReads(),
  };
}

function count(limiter: RateLimiterMemory, key: string, done: HookHandlerDoneFunction): void {
  limiter.consume(key).then(
    () => done(),
    (reason: RateLimiterRes | Error) => {
      if (reason instanceof Error) return done(reason);
      const retryAfterSeconds = Math.max(1, Math.ceil(reason.msBeforeNext / 1000));
      done(new Refused({ code: 'too-many-requests', parameters: { retryAfterSeconds } }));
    },
  );
}

/** Runs few long reads at once, so that purchases find the process and Postgres free. */
function longReads(): onRequestHookHandler {
  const waiting: (() => void)[] = [];
  let running = 0;
  return (request, { raw: response }, done) => {
    if (laneOf(request) !== 'longReads') return done();
    if (running >= LONG_READS_AT_ONCE && waiting.length >= LONG_READS_WAITING)
      return done(new Unavailable('too many long reads are waiting'));
    const run = (): void => {
      running += 1;
      response.once('close', () => {
        running -= 1;
        waiting.shift()?.();
      });
      // A client that left meanwhile has closed its response already.
      if (response.closed) response.emit('close');
      else done();
    };
    if (running < LONG_READS_AT_ONCE) run();
    else waiting.push(run);
  };
}
