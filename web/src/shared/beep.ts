import { createStoredText } from './store.js';

const NOTE_HZ = 660;
const NOTE_MS = 180;
const NOTE_GAIN = 0.08;

let context: AudioContext | null = null;

export const sound = createStoredText('omni.sound');

/** Browsers play sound only after a gesture on the page. Called once, when the page starts. */
export function allowSoundAfterFirstGesture(): void {
  const allow = () => {
    context ??= new AudioContext();
    if (context.state === 'suspended') void context.resume();
  };
  window.addEventListener('pointerdown', allow, { once: true });
  window.addEventListener('keydown', allow, { once: true });
}

/** Plays one short, quiet note, unless the gamer turned the sound off or made no gesture yet. */
export function beep(): void {
  if (sound.get() === 'off' || context?.state !== 'running') return;
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
