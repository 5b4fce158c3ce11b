import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { serveLocally } from './local-server.js';

export interface ReceivedPush {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export class TestPushService {
  readonly received: ReceivedPush[] = [];
  readonly statuses = new Map<string, number>();

  private constructor(
    readonly origin: string,
    readonly close: () => Promise<void>,
  ) {}

  static async start(): Promise<TestPushService> {
    const { url, close } = await serveLocally(async (request, response) => {
      const path = request.url ?? '';
      service.received.push({ path, headers: request.headers, body: await buffer(request) });
      response.writeHead(service.statuses.get(path) ?? 201).end();
    });
    const service = new TestPushService(url, close);
    return service;
  }

  to(path: string): ReceivedPush[] {
    return this.received.filter((each) => each.path === path);
  }
}

export class TestSubscription {
  private readonly keys: ECDH = createECDH('prime256v1');
  private readonly auth = randomBytes(16);

  constructor(readonly endpoint: string) {
    this.keys.generateKeys();
  }

  toJSON() {
    const { endpoint, keys, auth } = this;
    return { endpoint, p256dh: keys.getPublicKey('base64url'), auth: auth.toString('base64url') };
  }

  /** Decrypts a message: RFC 8291 in one record of RFC 8188. Throws when it is for another subscription. */
  read({ body }: ReceivedPush): unknown {
    const salt = body.subarray(0, 16);
    const keyLength = body.readUInt8(20);
    const sender = body.subarray(21, 21 + keyLength);
    const record = body.subarray(21 + keyLength);
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.keys.getPublicKey(), sender]);
    const secret = Buffer.from(hkdfSync('sha256', this.keys.computeSecret(sender), this.auth, info, 32));
    const derive = (what: string, bytes: number) =>
      Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${what}\0`, bytes));
    const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
    decipher.setAuthTag(record.subarray(-16));
    const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
    return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString());
  }
}
