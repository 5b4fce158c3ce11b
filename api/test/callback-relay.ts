import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { serveLocally } from './local-server.js';

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
  const server = await serveLocally((request, response) => {
    callbackIn(request)
      .then((callback) => relay.onCallback(callback))
      .then(
        (status) => response.writeHead(status).end(),
        () => response.destroy(),
      );
  });
  const relay: CallbackRelay = { ...server, onCallback: async () => 200 };
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
