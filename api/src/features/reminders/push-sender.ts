import { createECDH, scryptSync } from 'node:crypto';
import webPush from 'web-push';
import type { Config } from '../../platform/config.js';
import type { PushSubscription } from './push-subscriptions.store.js';

const SALT = 'omni-jackpot web push key 1';
const PRIVATE_KEY_BYTES = 32;
const TIMEOUT_MS = 10_000;
/** The push service then drops a subscription: the browser has withdrawn it, or it has expired. */
const GONE: readonly number[] = [404, 410];

/** `gone`: the subscription must be deleted. `failed`: the push service did not take the message. */
export type PushOutcome = 'sent' | 'gone' | 'failed';

/** Encrypts push messages (RFC 8291) and sends them to the browsers' push services, signed with this server's key. */
export class PushSender {
  private readonly keys: { publicKey: string; privateKey: string };
  private readonly subject: string;
  private readonly services: readonly string[];

  constructor({ pushSecret, pushServices, adminEmail }: Pick<Config, 'pushSecret' | 'pushServices' | 'adminEmail'>) {
    const curve = createECDH('prime256v1');
    curve.setPrivateKey(scryptSync(pushSecret, SALT, PRIVATE_KEY_BYTES));
    this.keys = { publicKey: curve.getPublicKey('base64url'), privateKey: curve.getPrivateKey('base64url') };
    this.subject = `mailto:${adminEmail}`;
    this.services = pushServices;
  }

  get publicKey(): string {
    return this.keys.publicKey;
  }

  /** Whether the address belongs to a push service: the server must not be made to call other addresses. */
  accepts(endpoint: string): boolean {
    if (!URL.canParse(endpoint)) return false;
    const { origin, protocol, hostname, username } = new URL(endpoint);
    if (username !== '') return false;
    return this.services.some((service) =>
      service.includes('://')
        ? origin === service
        : origin === `https://${hostname}` && protocol === 'https:' && `.${hostname}`.endsWith(`.${service}`),
    );
  }

  /** @param ttlSeconds the push service keeps the message this long for a browser that is offline */
  async send({ endpoint, p256dh, auth }: PushSubscription, content: object, ttlSeconds: number): Promise<PushOutcome> {
    try {
      const { method, headers, body } = webPush.generateRequestDetails(
        { endpoint, keys: { p256dh, auth } },
        JSON.stringify(content),
        {
          vapidDetails: { subject: this.subject, ...this.keys },
          TTL: ttlSeconds,
          urgency: 'high',
          topic: 'round-live',
        },
      );
      const { status } = await fetch(endpoint, {
        method,
        headers: headers as Record<string, string>,
        body: new Uint8Array(body as Buffer),
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (GONE.includes(status)) return 'gone';
      return status < 300 ? 'sent' : 'failed';
    } catch {
      return 'failed';
    }
  }
}
