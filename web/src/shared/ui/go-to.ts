import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { createStore } from '../store.js';

/** Scrolls to a section of the page and moves the focus to it, so that the Tab key goes on from there. */
function goToSection(section: HTMLElement): void {
  const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  section.scrollIntoView({ behavior: isStill ? 'instant' : 'smooth', block: 'start' });
  section.focus({ preventScroll: true });
}

/** Goes to the section when a link has led to it, which the browser cannot do before the sections above have their heights. */
export function useLinkedSection(id: string): void {
  const location = useLocation();
  useEffect(() => {
    if (location.hash !== id) return;
    // Waits until a dialog that is closing no longer holds the focus.
    const timer = setTimeout(() => goToSection(document.getElementById(id) as HTMLElement));
    return () => clearTimeout(timer);
  }, [location, id]);
}

export const AUTH_SECTION_ID = 'join';

export type AuthForm = 'register' | 'login';
export const authForm = createStore<AuthForm>('register');

declare module '@tanstack/react-router' {
  interface HistoryState {
    returnTo?: string;
  }
}

export const authHash = (form: AuthForm): string => (form === 'register' ? AUTH_SECTION_ID : form);

export function goToAuth(form: AuthForm): void {
  const isShown = authForm.get() === form;
  authForm.set(form);
  const section = document.getElementById(AUTH_SECTION_ID);
  if (section !== null) goToSection(section);
  const focusField = () => {
    const field = section?.querySelector<HTMLInputElement>('[role=tabpanel]:not([hidden]) input');
    if (field) field.focus({ preventScroll: true });
    // The form is not loaded yet: the address names it, and the page goes to it once it is.
    else window.history.replaceState(window.history.state, '', `#${authHash(form)}`);
  };
  // Focuses at once if possible: a phone shows its keyboard only during a press.
  if (isShown) focusField();
  else setTimeout(focusField);
}

export const WINNINGS_ID = 'my-winnings';

export const STAGE_ID = 'stage';

/** The ref of a notice: scrolls it into the window when it appears. */
export const scrollToNotice = (notice: HTMLElement | null) => notice?.scrollIntoView({ block: 'nearest' });

/** The ref of an element that has the focus when it appears. */
export const focusAtFirst = (element: HTMLElement | null) => element?.focus();

/** Scrolls at once: a login adds content above the stage, which would move the end of a smooth scroll. */
export function returnToStage(): void {
  window.scrollTo({ top: 0, behavior: 'instant' });
  document.getElementById(STAGE_ID)?.focus({ preventScroll: true });
}
