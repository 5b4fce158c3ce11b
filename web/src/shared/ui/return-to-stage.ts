export const STAGE_ID = 'stage';

/** After login the game is what comes next: it is brought into view, and focus goes where the forms have left none. */
export function returnToStage(): void {
  const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  window.scrollTo({ top: 0, behavior: calm ? 'instant' : 'smooth' });
  document.getElementById(STAGE_ID)?.focus({ preventScroll: true });
}
