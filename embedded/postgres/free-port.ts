import { type AddressInfo, createServer } from 'node:net';

export function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return listenOnce(port, host).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') return false;
      throw error;
    },
  );
}

export const anyFreePort = (host = '127.0.0.1'): Promise<number> => listenOnce(0, host);

export async function nextFreePort(first: number, host: string): Promise<number> {
  let port = first;
  while (!(await isPortFree(port, host))) port += 1;
  return port;
}

const listenOnce = (port: number, host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => {
      const { port: taken } = server.address() as AddressInfo;
      server.close(() => resolve(taken));
    });
  });
