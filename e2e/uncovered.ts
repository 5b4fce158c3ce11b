import { expect, type Locator } from '@playwright/test';

/**
 * Expects each visible element of the locator whole in the window, with nothing over it that is seen or takes its
 * presses. With `scrolls` each is scrolled into view first, as little as needed. Measures once: a notice does not stay.
 */
export async function expectUncovered(targets: Locator, name: string, { scrolls = false } = {}): Promise<void> {
  const { count, found } = await targets.evaluateAll(coverings, scrolls);
  expect.soft(count, `${name}: visible elements`).toBeGreaterThan(0);
  expect.soft(found, `${name}: covered`).toEqual([]);
}

/** What lies over the middle and the corners of the elements' boxes. */
async function coverings(elements: Element[], scrolls: boolean): Promise<{ count: number; found: string[] }> {
  // A banner that lets presses through covers too, but is in no list of elements at a point.
  const pressable = document.createElement('style');
  pressable.textContent = '* { pointer-events: auto !important }';
  const isPainted = (element: Element) => getComputedStyle(element).backgroundColor !== 'rgba(0, 0, 0, 0)';
  const nameOf = (element: Element) => `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''}`;
  const over = (target: Element, x: number, y: number): Element[] => {
    const pressed = document.elementFromPoint(x, y);
    document.head.append(pressable);
    const stack = document.elementsFromPoint(x, y);
    pressable.remove();
    const place = stack.findIndex((each) => target.contains(each) || each.contains(target));
    const painted = stack.slice(0, place < 0 ? undefined : place).filter(isPainted);
    return pressed === null || target.contains(pressed) ? painted : [pressed, ...painted];
  };
  const shown = elements.filter((element) => element.checkVisibility() && element.getBoundingClientRect().width > 0);
  const found: string[] = [];
  for (const target of shown) {
    if (scrolls) {
      const before = target.getBoundingClientRect().top;
      target.scrollIntoView({ block: 'nearest', behavior: 'instant' });
      const frames = target.getBoundingClientRect().top === before ? 0 : 2;
      // Observers that show or hide the dock have run by then.
      for (let frame = 0; frame < frames; frame += 1) await new Promise(requestAnimationFrame);
      if (!target.isConnected) continue;
    }
    const { left, right, top, bottom } = target.getBoundingClientRect();
    // The corners may be rounded.
    const inset = 4;
    for (const [x, y] of [
      [(left + right) / 2, (top + bottom) / 2],
      [left + inset, top + inset],
      [right - inset, top + inset],
      [left + inset, bottom - inset],
      [right - inset, bottom - inset],
    ] as const) {
      const isOutside = x < 0 || y < 0 || x > window.innerWidth || y > window.innerHeight;
      const covering = isOutside ? ['the window’s edge'] : over(target, x, y).map(nameOf);
      found.push(...covering.map((each) => `“${target.textContent || nameOf(target)}” by ${each}`));
    }
  }
  return { count: shown.length, found: [...new Set(found)] };
}
