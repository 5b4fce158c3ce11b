import { useLayoutEffect } from 'react';

/** The colour of the browser's bar around the page: the light theme's background in styles/theme.css. */
const LIGHT_BACKGROUND = '#f2ece2';

export function useLightTheme(): void {
  useLayoutEffect(() => {
    const root = document.documentElement;
    const bar = document.querySelector<HTMLMetaElement>('meta[name="theme-color"]');
    const previous = bar?.content;
    root.dataset.theme = 'light';
    if (bar) bar.content = LIGHT_BACKGROUND;
    return () => {
      delete root.dataset.theme;
      if (bar && previous !== undefined) bar.content = previous;
    };
  }, []);
}
