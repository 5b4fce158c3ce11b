/** Scrolls the page down until a notice at the window's top covers no control. Dialogs leave room for a toast of `--toast-height`. */
export function scrollClear(notice: HTMLElement): void {
  if (notice.matches('.toast'))
    document.documentElement.style.setProperty('--toast-height', `${notice.offsetHeight}px`);
  const scrolledTo = window.scrollY;
  const clear = () => {
    // A dialog that the notice is about has closed by now. A page that scrolls by itself is left alone.
    if (document.querySelector('.dialog') !== null || window.scrollY !== scrolledTo) return;
    const { left, right, bottom } = notice.getBoundingClientRect();
    const covered = [...document.querySelectorAll('main :is(a.btn, button:not([role=tab]), input, select, textarea)')]
      .map((control) => control.getBoundingClientRect())
      .filter((box) => box.width > 0 && box.bottom > 0 && box.top < bottom && box.left < right && box.right > left);
    const top = Math.min(...covered.map((box) => box.top)) - bottom - 8;
    if (covered.length > 0) window.scrollBy({ top, behavior: 'instant' });
  };
  requestAnimationFrame(() => requestAnimationFrame(clear));
}
