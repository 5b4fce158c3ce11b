import { useSyncExternalStore } from 'react';

/** One short, quiet note when the game goes live. Off when the gamer said so, and until they touched the page. */
const STORED_AS = 'omni.sound';
const NOTE_HZ = 660;
const NOTE_MS = 180;
const NOTE_GAIN = 0.08;

let context: AudioContext | null = null;
const listeners = new Set<() => void>();

function stored(): string | null {
  try {
    return localStorage.getItem(STORED_AS);
  } catch {
    return null; // storage is blocked: the switch lasts as long as the page
  }
}

let on = stored() !== 'off';

export function setSound(next: boolean): void {
  on = next;
  try {
    localStorage.setItem(STORED_AS, next ? 'on' : 'off');
  } catch {
    // see stored()
  }
  for (const listener of listeners) listener();
}

export function useSoundSwitch(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => on,
    () => true,
  );
}

/** Browsers let a page sound only after its visitor did something on it. Called once, when the page starts. */
export function allowSoundAfterFirstGesture(): void {
  const allow = () => {
    context ??= new AudioContext();
    if (context.state === 'suspended') void context.resume();
  };
  window.addEventListener('pointerdown', allow, { once: true });
  window.addEventListener('keydown', allow, { once: true });
}

export function beep(): void {
  if (!on || context?.state !== 'running') return;
  const start = context.currentTime;
  const end = start + NOTE_MS / 1000;
  const tone = context.createOscillator();
  const gain = context.createGain();
  tone.frequency.value = NOTE_HZ;
  gain.gain.setValueAtTime(NOTE_GAIN, start);
  gain.gain.exponentialRampToValueAtTime(0.0001, end);
  tone.connect(gain).connect(context.destination);
  tone.start(start);
  tone.stop(end);
}
