import { expect, type Locator } from '@playwright/test';

/** Windows of a phone, a tablet, a small and a larger desktop. */
export const SCREENS = [
  { width: 360, height: 740 },
  { width: 768, height: 1024 },
  { width: 1280, height: 720 },
  { width: 1440, height: 900 },
] as const;

/**
 * Expects each visible element of the locator whole in the window, with nothing over it that is seen or takes its
 * presses. With `scrolls` each is scrolled into view first, as little as needed. Measures once: a notice does not stay.
 */
export async function expectUncovered(targets: Locator, name: string, { scrolls = false } = {}): Promise<void> {
  const { count, found } = await targets.evaluateAll(coverings, scrolls);
  expect.soft(count, `${name}: visible elements`).toBeGreaterThan(0);
  expect.soft(found, `${name}: covered`).toEqual([]);
}

/** The elements that cover the middle or the corners of the elements' boxes. */
async function coverings(elements: Element[], scrolls: boolean): Promise<{ count: number; found: string[] }> {
  // A banner that lets presses through covers too, but is in no list of elements at a point.
  const pressable = document.createElement('style');
  pressable.textContent = '* { pointer-events: auto !important }';
  const isPainted = (element: Element) => getComputedStyle(element).backgroundColor !== 'rgba(0, 0, 0, 0)';
  const nameOf = (element: Element) => `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''}`;
  /** @param stack all elements at a point, the topmost first; @param pressed the one that takes a press */
  const over = (target: Element, stack: Element[], pressed: Element | null): Element[] => {
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
    const points = [
      [(left + right) / 2, (top + bottom) / 2],
      [left + inset, top + inset],
      [right - inset, top + inset],
      [left + inset, bottom - inset],
      [right - inset, bottom - inset],
    ] as const;
    const pressed = points.map(([x, y]) => document.elementFromPoint(x, y));
    // Once for all points, because it changes the style of every element.
    document.head.append(pressable);
    const stacks = points.map(([x, y]) => document.elementsFromPoint(x, y));
    pressable.remove();
    for (const [index, [x, y]] of points.entries()) {
      const isOutside = x < 0 || y < 0 || x > window.innerWidth || y > window.innerHeight;
      const covering = isOutside
        ? ['the window’s edge']
        : over(target, stacks[index] ?? [], pressed[index] ?? null).map(nameOf);
      found.push(...covering.map((each) => `“${target.textContent || nameOf(target)}” by ${each}`));
    }
  }
  return { count: shown.length, found: [...new Set(found)] };
}
