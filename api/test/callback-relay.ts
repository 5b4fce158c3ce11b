import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface Callback {
  body: Buffer;
  signature: string | undefined;
}

/** An HTTP server that receives the gateway's callbacks in the api's place. */
export interface CallbackRelay {
  url: string;
  /** Returns the HTTP status to answer with; the gateway redelivers the callback unless the status is 2xx. */
  onCallback: (callback: Callback) => Promise<number>;
  close(): Promise<void>;
}

export async function startCallbackRelay(): Promise<CallbackRelay> {
  const relay: CallbackRelay = { url: '', onCallback: async () => 200, close: async () => undefined };
  const server = createServer((request, response) => {
    callbackIn(request)
      .then((callback) => relay.onCallback(callback))
      .then(
        (status) => response.writeHead(status).end(),
        () => response.destroy(),
      );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  relay.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  relay.close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return relay;
}

async function callbackIn(request: IncomingMessage): Promise<Callback> {
  const signature = request.headers['x-nowpayments-sig'];
  return { body: await buffer(request), signature: Array.isArray(signature) ? signature[0] : signature };
}

/** Sends a callback to an api, as the gateway would. Returns the HTTP status. */
export async function deliver(apiUrl: string, { body, signature }: Callback): Promise<number> {
  const response = await fetch(`${apiUrl}/api/payments/ipn`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(signature !== undefined && { 'x-nowpayments-sig': signature }) },
    body: new Uint8Array(body),
  });
  await response.body?.cancel();
  return response.status;
}
