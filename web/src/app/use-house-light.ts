import { useLayoutEffect } from 'react';

/** Of the bar around the page, where a browser colours it: the house's floor, as in styles/theme.css. */
const HOUSE_FLOOR = '#f2ece2';

/** The books are read with the house lights up; who leaves finds the theatre dark again. */
export function useHouseLight(title: string): void {
  useLayoutEffect(() => {
    const root = document.documentElement;
    const bar = document.querySelector<HTMLMetaElement>('meta[name="theme-color"]');
    const before = { title: document.title, bar: bar?.content };
    root.dataset.light = 'house';
    document.title = title;
    if (bar) bar.content = HOUSE_FLOOR;
    return () => {
      delete root.dataset.light;
      document.title = before.title;
      if (bar && before.bar !== undefined) bar.content = before.bar;
    };
  }, [title]);
}
