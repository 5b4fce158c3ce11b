/** The admin panel on the main page. */
export const ADMIN_PANEL_ID = 'admin-panel';

/** Scrolls to a section of the page and moves the focus to it, so that the Tab key goes on from there. */
export function goToSection(section: HTMLElement): void {
  const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  section.scrollIntoView({ behavior: calm ? 'instant' : 'smooth', block: 'start' });
  section.focus({ preventScroll: true });
}
