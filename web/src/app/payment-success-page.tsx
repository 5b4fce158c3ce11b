import { useNavigate } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import { useEffect, useState } from 'react';
import { counted } from '../shared/format.js';
import { PageLink } from '../shared/ui/controls.js';
import { SimplePage } from './page.js';

/** Specification §9. */
const REDIRECTED_AFTER_SECONDS = 5;

export function PaymentSuccessPage() {
  const navigate = useNavigate();
  const [left, setLeft] = useState(REDIRECTED_AFTER_SECONDS);
  useEffect(() => {
    if (left === 0) {
      void navigate({ to: '/', replace: true });
      return;
    }
    const timer = setTimeout(() => setLeft(left - 1), 1_000);
    return () => clearTimeout(timer);
  }, [left, navigate]);
  return (
    <SimplePage>
      <Check size={40} aria-hidden="true" />
      <h1 className="h2">Payment Successful!</h1>
      <p>Your balance will be updated within a few minutes</p>
      <PageLink className="btn btn--act" to="/" text="Go to Home Now" />
      <p className="t14 dim">{`Or wait: the game opens in ${counted(left, 'second')}.`}</p>
    </SimplePage>
  );
}
