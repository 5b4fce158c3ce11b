/** The section with the register and login forms on the main page. */
export const AUTH_SECTION_ID = 'join';

/** Scrolls to the forms and moves the focus to the first field. */
export function goToAuth(): void {
  const section = document.getElementById(AUTH_SECTION_ID);
  const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  section?.scrollIntoView({ behavior: calm ? 'instant' : 'smooth', block: 'start' });
  section?.querySelector('input')?.focus({ preventScroll: true });
}
