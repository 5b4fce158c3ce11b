import { Bell, BellRing } from 'lucide-react';
import { useEffect, useState } from 'react';
import type {
  ForgetReminderRequest,
  ReminderKeyResponse,
  RemindMeRequest,
} from '../../../../contracts/http/reminders.js';
import { get, reasonOf, send } from '../../shared/api/api-client.js';
import { SERVICE_WORKER } from '../../shared/push.js';
import { toast, toastProblem } from '../../shared/ui/toasts.js';

/** Asks the browser to show a notification when a round goes live, and takes that back. */
export function RemindMe() {
  const [isOn, setIsOn] = useState(false);
  const [isBusy, setIsBusy] = useState(true);
  const [isRefused, setIsRefused] = useState(false);
  useEffect(() => {
    let unmounted = false;
    // Without an answer the button offers to subscribe, which tries again.
    void renewSubscription()
      .catch(() => false)
      .then((reminded) => {
        if (unmounted) return;
        setIsOn(reminded);
        setIsBusy(false);
      });
    return () => {
      unmounted = true;
    };
  }, []);
  const press = async () => {
    setIsBusy(true);
    try {
      if (isOn) await unsubscribe();
      else if ((await Notification.requestPermission()) !== 'granted') return setIsRefused(true);
      else await subscribe();
      setIsOn(!isOn);
      if (!isOn) toast({ title: 'Reminder is on', text: 'This browser tells you when the next round goes live.' });
    } catch (error) {
      toastProblem('Reminder not changed', reasonOf(error, 'The push service of your browser did not answer.'));
    } finally {
      setIsBusy(false);
    }
  };
  if (isRefused) return null;
  return (
    <button
      type="button"
      className="btn btn--text btn--sm"
      aria-pressed={isOn}
      aria-disabled={isBusy || undefined}
      onClick={() => !isBusy && void press()}
    >
      {isOn ? <BellRing size={18} aria-hidden="true" /> : <Bell size={18} aria-hidden="true" />}
      <span>{isOn ? 'Reminder is on' : 'Remind me'}</span>
    </button>
  );
}

const PATH = '/api/reminders';

/** The push manager of the service worker. The page registered it at its start, if the browser let it. */
async function pushManager(): Promise<PushManager> {
  return (await navigator.serviceWorker.register(SERVICE_WORKER)).pushManager;
}

/**
 * Sends this browser's subscription to the server again, because the server may have lost it, or may know it as another gamer's.
 * Returns false when this browser has no subscription.
 */
async function renewSubscription(): Promise<boolean> {
  if (Notification.permission !== 'granted') return false;
  if ((await (await pushManager()).getSubscription()) === null) return false;
  await subscribe();
  return true;
}

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
