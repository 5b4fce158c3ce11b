import { Volume2, VolumeX } from 'lucide-react';
import { sound } from '../shared/beep.js';
import { useSession } from '../shared/session.queries.js';
import { useStore } from '../shared/store.js';
import { Button, PageLink } from '../shared/ui/controls.js';

export default function MenuLinks({ onGo }: { onGo: () => void }) {
  const role = useSession()?.role;
  const isAdmin = role === 'admin';
  return (
    <>
      {role === 'gamer' && <PageLink to="/" hash="deposit" text="Deposit Crypto" onClick={onGo} />}
      {!isAdmin && <PageLink to="/statement" text="My Statement" onClick={onGo} />}
      {!isAdmin && <PageLink to="/protection" text="My Limits" onClick={onGo} />}
      {role && <PageLink to="/account" text="My Account" onClick={onGo} />}
      {(isAdmin || role === 'operator') && <PageLink to="/admin" text="Admin Panel" onClick={onGo} />}
      {(isAdmin || role === 'auditor') && <PageLink to="/audit" text="Audit" onClick={onGo} />}
      {role && <PageLink to="/" hash="support" text="Contact Support" onClick={onGo} />}
      <PageLink to="/gamers-guide" text="Gamer's Guide" onClick={onGo} />
      <PageLink to="/gamers-guide" hash="fairness" text="Fairness" onClick={onGo} />
      <PageLink to="/verify" text="Check the Ledger" onClick={onGo} />
      <PageLink to="/record" text="Public Record" onClick={onGo} />
      <SoundSwitch />
    </>
  );
}

function SoundSwitch() {
  const on = useStore(sound) !== 'off';
  return (
    <Button
      icon={on ? Volume2 : VolumeX}
      text={on ? 'Sound is on' : 'Sound is off'}
      aria-pressed={on}
      aria-label="Sound when the game goes live"
      onClick={() => sound.set(on ? 'off' : 'on')}
    />
  );
}
