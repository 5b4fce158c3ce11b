import { type RefObject, useEffect, useState } from 'react';

/** Whether an element has scrolled out of the window. */
export function useIsAway(ref: RefObject<HTMLElement | null>): boolean {
  const [isAway, setIsAway] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const observer = new IntersectionObserver(([entry]) => setIsAway(entry !== undefined && !entry.isIntersecting));
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return isAway;
}
