import { once } from 'node:events';
import { serveServerFeatures } from '../embedded/event-store/wire/cluster-calls.js';
import type { GrpcCall } from '../embedded/event-store/wire/grpc-call.js';
import { GrpcServer } from '../embedded/event-store/wire/grpc-server.js';
import { confirmation } from '../embedded/event-store/wire/read-answers.js';
import { EventLog } from './event-log.js';

it('following that is stopped leaves no call open', async () => {
  let arrived = (_call: GrpcCall) => {};
  const subscribed = new Promise<GrpcCall>((resolve) => {
    arrived = resolve;
  });
  const subscribe = async (call: GrpcCall) => {
    await call.send(confirmation('here'));
    arrived(call);
    await once(call.gone, 'abort');
  };
  const server = await GrpcServer.listen('127.0.0.1', 0, undefined, (path) =>
    path.endsWith('/Read') ? subscribe : serveServerFeatures,
  );
  const log = new EventLog(`esdb://127.0.0.1:${server.port}?tls=false`);
  const onFailure = (error: Error) => {
    throw error;
  };
  const following = log.follow({ after: null, onEvent: () => undefined, onFailure });
  const call = await subscribed;
  await following.stop();
  if (!call.gone.aborted) await once(call.gone, 'abort');
  await log.close();
  await server.close();
});
