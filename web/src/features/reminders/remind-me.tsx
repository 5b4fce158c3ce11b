import { Bell, BellRing } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { reasonOf } from '../../shared/api/api-client.js';
import { toast, toastProblem } from '../../shared/ui/toasts.js';
import { renewSubscription, subscribe, unsubscribe } from './subscription.js';

interface RemindMeProps {
  /** Shown where the browser refuses to be reminded. */
  children: ReactNode;
}

/** Asks the browser to show a notification when a round goes live, and takes that back. */
export function RemindMe({ children }: RemindMeProps) {
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
  if (isRefused) return children;
  return (
    <button
      type="button"
      className="btn btn--big btn--line justify-center"
      aria-pressed={isOn}
      aria-disabled={isBusy || undefined}
      onClick={() => !isBusy && void press()}
    >
      {isOn ? <BellRing size={20} aria-hidden="true" /> : <Bell size={20} aria-hidden="true" />}
      <span>{isOn ? 'Reminder is on' : 'Remind me'}</span>
    </button>
  );
}
