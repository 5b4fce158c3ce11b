import { useLayoutEffect } from 'react';

/** The colour of the browser's bar around the page: the light theme's background in styles/theme.css. */
const LIGHT_BACKGROUND = '#f2ece2';

/** Shows the page in the light theme, in which the ledger is read. Leaving the page restores the dark one, and its title. */
export function useLightTheme(title: string): void {
  useLayoutEffect(() => {
    const root = document.documentElement;
    const bar = document.querySelector<HTMLMetaElement>('meta[name="theme-color"]');
    const previous = { title: document.title, bar: bar?.content };
    root.dataset.theme = 'light';
    document.title = title;
    if (bar) bar.content = LIGHT_BACKGROUND;
    return () => {
      delete root.dataset.theme;
      document.title = previous.title;
      if (bar && previous.bar !== undefined) bar.content = previous.bar;
    };
  }, [title]);
}
