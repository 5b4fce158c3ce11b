import { type QueryClient, type QueryFunctionContext, queryOptions } from '@tanstack/react-query';
import type { LedgerKeys } from '../../../../contracts/http/receipts.js';
import { fetchHead } from '../../../../contracts/transparency/log-client.js';
import { type Policy, parsePolicy } from '../../../../contracts/transparency/policy.js';
import { parseSignedHead } from '../../../../contracts/transparency/signed-head.js';
import { ApiError, type ApiKey, get, pathOf } from '../../shared/api/api-client.js';
import { counted } from '../../shared/format.js';
import { witnessesOf } from './check-proof.js';

export const LOG_PREFIX = '/log';

/** A proof's text, to the byte. */
export async function fetchProof(key: ApiKey): Promise<string> {
  const response = await fetch(pathOf(key), { cache: 'no-cache' });
  const text = await response.text();
  if (!response.ok) throw new ApiError(response.status, response.statusText, text);
  return text;
}

/** Gives up soon, because a saved proof is also checked while the server is away. */
export const fetchKeys = (): Promise<LedgerKeys> => get(['/api', 'ledger', 'key'], AbortSignal.timeout(5_000));

/** Fetched anew each time, because the keys change after a loss of history. */
const keysQuery = queryOptions({
  queryKey: ['/api', 'ledger', 'key'],
  queryFn: fetchKeys,
  networkMode: 'always',
  staleTime: 0,
});

/** The last known keys when the server is away, so that a file is also checked then; null without any. */
export const newestKeys = (client: QueryClient): Promise<LedgerKeys | null> =>
  client.fetchQuery(keysQuery).catch(() => client.getQueryData(keysQuery.queryKey) ?? null);

/** The build may require witnesses of its own choice, in place of those that the server names: a tlog-policy. */
const BUILD_POLICY = import.meta.env.VITE_QUORUM as string | undefined;

/** Null when no cosignature is required. Throws on a malformed policy. */
export async function requiredPolicy(serverPolicy: string | null = null): Promise<Policy | null> {
  const text = BUILD_POLICY?.replaceAll('\\n', '\n') ?? serverPolicy;
  if (!text) return null;
  const policy = await parsePolicy(text);
  return policy.hasQuorum(new Set()) ? null : policy;
}

export async function newestWitnesses({ client }: QueryFunctionContext): Promise<string> {
  const policy = await requiredPolicy((await client.ensureQueryData(keysQuery)).policy);
  if (policy === null) return 'None are required.';
  const head = parseSignedHead(await fetchHead(LOG_PREFIX));
  const { names, isEnough } = await witnessesOf(head, policy);
  const newest = `The newest head, of ${counted(head.size, 'event')}`;
  return isEnough ? `${newest}, is witnessed by ${names}.` : `${newest}, is not cosigned yet.`;
}
