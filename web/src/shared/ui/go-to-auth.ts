import { createStore } from '../store.js';
import { goToSection } from './go-to-section.js';

/** The section with the register and login forms on the main page. */
export const AUTH_SECTION_ID = 'join';

export type AuthForm = 'register' | 'login';
export const authForm = createStore<AuthForm>('register');

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The page that a login leads back to. */
    returnTo?: string;
  }
}

/** The hash of links from other pages to one of the two forms. */
export const authHash = (form: AuthForm): string => (form === 'register' ? AUTH_SECTION_ID : form);

/** Opens one of the forms, scrolls to it and moves the focus to its first field. */
export function goToAuth(form: AuthForm): void {
  authForm.set(form);
  const section = document.getElementById(AUTH_SECTION_ID);
  if (section === null) return;
  goToSection(section);
  section.querySelector<HTMLInputElement>('[role=tabpanel]:not([hidden]) input')?.focus({ preventScroll: true });
}
