/** The limits of the connections for lists and reports; both pools of them, that of `pg` and that of TypeORM, have them. */
export const GENERAL_POOL = {
  max: 10,
  connectionTimeoutMillis: 3_000,
  statement_timeout: 10_000,
  // Ends a query on a connection that is half open.
  query_timeout: 12_000,
};
