export const STAGE_ID = 'stage';

/** After a login the forms are inert: scrolls to the stage and moves the focus to it. */
export function returnToStage(): void {
  const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  window.scrollTo({ top: 0, behavior: calm ? 'instant' : 'smooth' });
  document.getElementById(STAGE_ID)?.focus({ preventScroll: true });
}
