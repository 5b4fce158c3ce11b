import { rm } from 'node:fs/promises';

export default async function tearDown() {
  const running = globalThis.__testPostgres;
  if (running === undefined) return;
  await running.server.stop();
  await Promise.all(running.folders.map((folder) => rm(folder, { recursive: true, force: true })));
}
