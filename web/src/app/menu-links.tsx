import { Volume2, VolumeX } from 'lucide-react';
import { sound } from '../shared/beep.js';
import { useSession } from '../shared/session.queries.js';
import { useStore } from '../shared/store.js';
import { Button, PageLink } from '../shared/ui/controls.js';

/** The links of the header's menu, the same at every width, and the switch for the sound. */
export default function MenuLinks({ onGo }: { onGo: () => void }) {
  const role = useSession()?.role;
  const links = [
    role === 'gamer' && ({ text: 'Deposit Crypto', to: '/', hash: 'deposit' } as const),
    role !== 'admin' && ({ text: 'My Statement', to: '/statement' } as const),
    role !== 'admin' && ({ text: 'My Limits', to: '/protection' } as const),
    role && ({ text: 'My Account', to: '/account' } as const),
    (role === 'admin' || role === 'operator') && ({ text: 'Admin Panel', to: '/admin' } as const),
    (role === 'admin' || role === 'auditor') && ({ text: 'Audit', to: '/audit' } as const),
    role && ({ text: 'Contact Support', to: '/', hash: 'support' } as const),
    { text: "Gamer's Guide", to: '/gamers-guide' } as const,
    { text: 'Fairness', to: '/gamers-guide', hash: 'fairness' } as const,
    { text: 'Check the Ledger', to: '/verify' } as const,
    { text: 'Public Record', to: '/record' } as const,
  ];
  return (
    <>
      {links
        .filter((link) => link !== false && link !== undefined)
        .map(({ text, ...link }) => (
          <PageLink key={text} {...link} onClick={onGo} text={text} />
        ))}
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
