/** Stand-ins listen on loopback only: everybody who reaches them can read all data and pay with practice money. */
export const LOOPBACK = '127.0.0.1';

/** The address by which this machine reaches a server that listens on `host`. */
export const reachableHost = (host: string): string => (host === '0.0.0.0' || host === '::' ? LOOPBACK : host);

/** Runs a stand-in as a process: one JSON line with its addresses when ready; SIGTERM and SIGINT close it; exit code 1 on failure. */
export async function runStandIn<T extends { close(): Promise<void> }>(
  name: string,
  addresses: (keyof T & string)[],
  start: () => Promise<T>,
): Promise<void> {
  try {
    const standIn = await start();
    const close = () =>
      standIn.close().then(
        () => process.exit(0),
        (error: Error) => fail(`The ${name} could not close: ${error.message}`),
      );
    process.once('SIGTERM', close).once('SIGINT', close);
    console.log(JSON.stringify({ ready: true, ...standIn }, ['ready', ...addresses]));
  } catch (error) {
    fail(`The ${name} did not start: ${(error as Error).message}`);
  }
}

function fail(message: string): void {
  console.error(message);
  process.exit(1);
}

export function requiredSetting(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`${name} must be set.`);
  return value;
}

export function portSetting(name: string, defaultPort: number): number {
  const port = Number(process.env[name] || defaultPort);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`${name} must be a port number.`);
  return port;
}
