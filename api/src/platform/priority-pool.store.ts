import { Pool } from 'pg';

/** Connections for the queries that a purchase waits for. Lists and reports use the general pool, so they never delay a purchase. */
export class PriorityPool extends Pool {}

/** Limits of the general connections, for both of their pools: `pg`'s and TypeORM's. */
export const GENERAL_POOL = {
  // Outlasts the pause of most repeated tasks: with pg's ten seconds an idle process connected again for each sweep.
  idleTimeoutMillis: 60_000,
  max: 10,
  connectionTimeoutMillis: 3_000,
  statement_timeout: 10_000,
  // Ends a query on a connection that is half open.
  query_timeout: 12_000,
};
