/** A handful of light for the winner's own screen. Nothing moves for those who asked their device for calm. */
export async function celebrate(): Promise<void> {
  if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const { default: confetti } = await import('canvas-confetti');
  const style = getComputedStyle(document.documentElement);
  const colors = ['--time', '--time-hot', '--won', '--text'].map((name) => style.getPropertyValue(name).trim());
  const canvas = document.createElement('canvas');
  canvas.className = 'celebration';
  canvas.setAttribute('aria-hidden', 'true');
  document.body.append(canvas);
  // Without its worker: the page's security policy runs no scripts made on the spot.
  const fire = confetti.create(canvas, { resize: true, useWorker: false, disableForReducedMotion: true });
  const burst = { colors, particleCount: 60, spread: 70, startVelocity: 42, ticks: 160, scalar: 0.9 };
  await Promise.all([
    fire({ ...burst, angle: 60, origin: { x: 0, y: 0.9 } }),
    fire({ ...burst, angle: 120, origin: { x: 1, y: 0.9 } }),
  ]);
  canvas.remove();
}
