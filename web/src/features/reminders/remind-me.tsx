import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Bell, BellRing } from 'lucide-react';
import { useState } from 'react';
import type * as http from '../../../../contracts/http/reminders.js';
import { get, reasonOf, sendCommand } from '../../shared/api/api-client.js';
import { SERVICE_WORKER } from '../../shared/push.js';
import { Button } from '../../shared/ui/controls.js';
import { toast, toastProblem } from '../../shared/ui/toasts.js';

const REMINDER_KEY = ['reminder'];

/** Asks the browser to show a notification when a round goes live, and takes that back. */
export default function RemindMe() {
  const client = useQueryClient();
  // A failed look-up counts as off: the button then offers to subscribe, which tries again.
  const queryFn = () => renewSubscription().catch(() => false);
  const { data: isOn = false, isPending } = useQuery({ queryKey: REMINDER_KEY, queryFn, gcTime: 0 });
  const [isRefused, setIsRefused] = useState(false);
  const { mutate, isPending: isChanging } = useMutation({
    mutationFn: async () => {
      if (isOn) await unsubscribe();
      else if ((await Notification.requestPermission()) !== 'granted') return setIsRefused(true);
      else await subscribe();
      client.setQueryData(REMINDER_KEY, !isOn);
      if (!isOn) toast({ title: 'Reminder is on', text: 'This browser tells you when the next round goes live.' });
    },
    onError: (error) =>
      toastProblem('Reminder not changed', reasonOf(error, 'The push service of your browser did not answer.')),
  });
  if (isRefused) return null;
  return (
    <Button
      kind="text sm"
      icon={isOn ? BellRing : Bell}
      text={isOn ? 'Reminder is on' : 'Remind me'}
      aria-pressed={isOn}
      blocked={isPending || isChanging}
      onClick={() => mutate()}
    />
  );
}

const PATH = '/api/reminders';

const pushManager = async (): Promise<PushManager> =>
  (await navigator.serviceWorker.register(SERVICE_WORKER)).pushManager;

/** Sends this browser's subscription again: the server may have lost it, or know it as another gamer's. False without one. */
async function renewSubscription(): Promise<boolean> {
  if (Notification.permission !== 'granted') return false;
  if ((await (await pushManager()).getSubscription()) === null) return false;
  await subscribe();
  return true;
}

export async function subscribe(): Promise<void> {
  const { key } = await get<http.ReminderKeyResponse>([PATH, 'key']);
  const manager = await pushManager();
  const known = await manager.getSubscription();
  const isCurrent = known !== null && base64url(known.options.applicationServerKey) === key;
  // A browser has one subscription, and it keeps its key.
  if (known !== null && !isCurrent) await known.unsubscribe();
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const subscription = isCurrent ? known : await manager.subscribe(options);
  const body: http.RemindMeRequest = {
    endpoint: subscription.endpoint,
    p256dh: base64url(subscription.getKey('p256dh')),
    auth: base64url(subscription.getKey('auth')),
  };
  await sendCommand({ method: 'PUT', path: PATH, body }, false);
}

export async function unsubscribe(): Promise<void> {
  const subscription = await (await pushManager()).getSubscription();
  if (subscription === null) return;
  const body: http.ForgetReminderRequest = { endpoint: subscription.endpoint };
  await sendCommand({ method: 'DELETE', path: PATH, body }, false);
  await subscription.unsubscribe();
}

function base64url(bytes: ArrayBuffer | null): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0))));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
