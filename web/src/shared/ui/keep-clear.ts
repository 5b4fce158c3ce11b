/**
 * Scrolls the page down until a notice that has appeared at the window's top covers no control. At the page's top it
 * lies over the header, and dialogs leave its space free.
 */
export function scrollClear(notice: HTMLElement): void {
  if (document.querySelector('.dialog') !== null) return;
  const { left, right, bottom } = notice.getBoundingClientRect();
  const covered = [...document.querySelectorAll('main :is(a.btn, button:not([role=tab]), input, select, textarea)')]
    .map((control) => control.getBoundingClientRect())
    .filter((box) => box.width > 0 && box.bottom > 0 && box.top < bottom && box.left < right && box.right > left);
  if (covered.length === 0) return;
  const scrolledTo = window.scrollY;
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      // A page on its way elsewhere is not held up.
      if (window.scrollY !== scrolledTo) return;
      const top = Math.min(...covered.map((box) => box.top)) - bottom - 8;
      window.scrollBy({ top, behavior: 'instant' });
    }),
  );
}
