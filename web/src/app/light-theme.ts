import { useLayoutEffect } from 'react';

/** The colour of the browser's bar around the page: the light theme's background in styles/theme.css. */
const LIGHT_BACKGROUND = '#f2ece2';

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
