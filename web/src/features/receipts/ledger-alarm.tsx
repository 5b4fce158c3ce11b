import { Link } from '@tanstack/react-router';
import { ShieldAlert } from 'lucide-react';
import { saveJson } from '../../shared/files.js';
import type { Alarm } from '../../shared/ledger/ledger-memory.js';
import { ledgerMemory } from '../../shared/ledger/stored-memory.js';
import { createStore, useStore } from '../../shared/store.js';
import { Button } from '../../shared/ui/controls.js';
import './receipts.css';
import { useEffect } from 'react';
import { ApiError, codeOf } from '../../shared/api/api-client.js';
import { counted } from '../../shared/format.js';
import { canCheckSignatures } from '../../shared/ledger/signed-note.js';
import { checkLedger, mergeChecked } from './watch.js';

/** Checks the ledger every minute. The banner stays until somebody decides on the page /verify. */
export function LedgerAlarm() {
  useLedgerChecks();
  const { alarm } = useStore(ledgerMemory);
  if (alarm === null) return null;
  const { title, says } = alarmText(alarm);
  return (
    <div className="linebanner ledger-alarm" role="alert">
      <ShieldAlert className="bad" size={22} aria-hidden="true" />
      <p>
        <b>{title}</b>
        <br />
        <span>{says}</span>
      </p>
      <div className="actions">
        <Link className="btn btn--line btn--sm" to="/verify">
          What to do
        </Link>
        <Button kind="line sm" text="Save both texts" onClick={() => saveAlarm(alarm)} />
      </div>
    </div>
  );
}

interface AlarmText {
  title: string;
  says: string;
  means: string;
  advice: string;
}

const KEEP = 'Save both texts and keep the file.';

export function alarmText({ kind, size }: Pick<Alarm, 'kind' | 'size'>): AlarmText {
  const events = counted(size, 'event');
  switch (kind) {
    case 'contradiction':
      return {
        title: 'The ledger contradicts itself',
        says: `This browser has proof of one history of the ledger’s first ${events}. The server now signs another one.`,
        means:
          'An honest ledger only grows, so one of the two is not what happened. Both texts bear the operator’s signature, or one is the receipt of your own purchase.',
        advice: `${KEEP} Buy nothing until the operator has explained it in public. Show the file to other gamers and to an auditor: anyone can check it.`,
      };
    case 'shorter':
      return {
        title: 'The ledger has lost events',
        says: `The operator signed a ledger of ${events}. The server now says that it was never that long.`,
        means: 'Events were removed, or the server was set back to an old copy. What you bought may be missing.',
        advice: `${KEEP} Buy nothing until the operator has explained it in public.`,
      };
    case 'signature':
      return {
        title: 'A signature of the ledger is wrong',
        says: `The server answered with a ledger of ${events} whose signature does not belong to it.`,
        means: 'Somebody may have changed the answer on its way, or this is not the operator’s server.',
        advice: `${KEEP} Check the address of this page, and try another network. Buy nothing until the warning is explained.`,
      };
    case 'key':
      return {
        title: 'The ledger is signed with another key',
        says: 'The key is not the one that this browser knows, and the known key does not vouch for it.',
        means: 'The operator replaced the key, or somebody else signs in the operator’s place.',
        advice: `${KEEP} Compare the new key with the one that the operator has published. Accept it only if they are the same.`,
      };
  }
}

export const saveAlarm = (alarm: Alarm): void =>
  saveJson('ledger-alarm.json', { format: 'omni-jackpot alarm 1', ...alarm });

const INTERVAL_MS = 60_000;
const EARLIER_SIZES = 4;

export const lastCheck = createStore<{
  atEpochMs: number;
  /** A sentence when the server did not answer as it must; that contradicts nothing. */
  problem: string | null;
  checksSignatures: boolean;
} | null>(null);

/** Checks the ledger every minute while the page is visible and no alarm is raised. */
function useLedgerChecks(): void {
  useEffect(() => {
    let turn = 0;
    const check = async () => {
      if (document.hidden || ledgerMemory.get().alarm !== null) return;
      const problem = await checkOnce(turn).then(
        () => null,
        (error: Error) => error.message,
      );
      lastCheck.set({ atEpochMs: Date.now(), problem, checksSignatures: await canCheckSignatures() });
      if (problem === null) turn += 1;
    };
    void check();
    const timer = setInterval(() => void check(), INTERVAL_MS);
    return () => clearInterval(timer);
  }, []);
}

async function checkOnce(turn: number): Promise<void> {
  const before = ledgerMemory.get();
  const sources = { fetchCheckpoint, earlier: EARLIER_SIZES, turn, nowMs: Date.now() };
  const checked = await checkLedger(before, sources);
  ledgerMemory.update((known) => mergeChecked(known, before, checked));
}

/** The ledger's signed head, as of `size` if given; null when the server says that the ledger was never that long. */
export async function fetchCheckpoint(size?: number): Promise<string | null> {
  const response = await fetch(`/api/ledger/checkpoint${size === undefined ? '' : `?size=${size}`}`, {
    cache: 'no-store',
  });
  const text = await response.text();
  if (response.ok) return text;
  const error = new ApiError(response.status, response.statusText, text);
  if (codeOf(error) === 'event-not-found') return null;
  throw error;
}
