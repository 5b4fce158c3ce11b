import type {
  ForgetReminderRequest,
  ReminderKeyResponse,
  RemindMeRequest,
} from '../../../../contracts/http/reminders.js';
import { get, send } from '../../shared/api/api-client.js';
import { SERVICE_WORKER } from '../../shared/push.js';

const PATH = '/api/reminders';

/** The push manager of the service worker. The page registered it at its start, if the browser let it. */
async function pushManager(): Promise<PushManager> {
  return (await navigator.serviceWorker.register(SERVICE_WORKER)).pushManager;
}

/**
 * Sends this browser's subscription to the server again, because the server may have lost it, or may know it as another gamer's.
 * Returns false when this browser has no subscription.
 */
export async function renewSubscription(): Promise<boolean> {
  if (Notification.permission !== 'granted') return false;
  if ((await (await pushManager()).getSubscription()) === null) return false;
  await subscribe();
  return true;
}

/** Subscribes this browser for the server's key. */
export async function subscribe(): Promise<void> {
  const { key } = await get<ReminderKeyResponse>([PATH, 'key']);
  const manager = await pushManager();
  const known = await manager.getSubscription();
  const isCurrent = known !== null && base64url(known.options.applicationServerKey) === key;
  // A browser has one subscription, and it keeps its key.
  if (known !== null && !isCurrent) await known.unsubscribe();
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const subscription = isCurrent ? known : await manager.subscribe(options);
  const body: RemindMeRequest = {
    endpoint: subscription.endpoint,
    p256dh: base64url(subscription.getKey('p256dh')),
    auth: base64url(subscription.getKey('auth')),
  };
  await send('PUT', PATH, body);
}

/** Ends the subscription, on the server first. */
export async function unsubscribe(): Promise<void> {
  const subscription = await (await pushManager()).getSubscription();
  if (subscription === null) return;
  const body: ForgetReminderRequest = { endpoint: subscription.endpoint };
  await send('DELETE', PATH, body);
  await subscription.unsubscribe();
}

function base64url(bytes: ArrayBuffer | null): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0))));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
