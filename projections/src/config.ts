/** What the worker is told by its environment. */
export interface ProjectionsConfig {
  databaseUrl: string;
  eventStoreUrl: string;
  logLevel: string;
}

export function readConfig(environment: NodeJS.ProcessEnv): ProjectionsConfig {
  return {
    databaseUrl: required(environment, 'DATABASE_URL'),
    eventStoreUrl: required(environment, 'EVENT_STORE_URL'),
    logLevel: environment.LOG_LEVEL ?? 'info',
  };
}

function required(environment: NodeJS.ProcessEnv, name: string): string {
  const value = environment[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}
