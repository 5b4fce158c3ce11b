import { type ComponentType, useEffect, useState } from 'react';

/** The first check comes after the page has settled; the code of the checks is fetched only then. */
const FIRST_CHECK_MS = 5_000;
const RETRY_MS = 60_000;

export function LedgerWatch() {
  const [Banner, setBanner] = useState<ComponentType | null>(null);
  useEffect(() => {
    const load = () => {
      import('./ledger-alarm.js').then(
        ({ LedgerAlarm }) => setBanner(() => LedgerAlarm),
        () => {
          timer = setTimeout(load, RETRY_MS);
        },
      );
    };
    let timer = setTimeout(load, FIRST_CHECK_MS);
    return () => clearTimeout(timer);
  }, []);
  return Banner && <Banner />;
}
