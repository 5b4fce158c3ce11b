import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { chosenNumber } from './moment-words.js';

/** While a thumb slides, the address, and with it what is asked of the server, waits for it to rest so long. */
const SLIDE_RESTS_MS = 150;

/** What the address says of the moment: an event's number, or null for now. */
export const useAskedNumber = (): number | null =>
  chosenNumber((useSearch({ strict: false }) as { event?: string }).event);

export interface ChosenMoment {
  /** Of the event after which the books are looked at. */
  number: number;
  /** The same, while it slides ahead of the address. */
  shown: number;
  isNow: boolean;
  /** Null is now. A step leaves the address's history alone. */
  choose: (number: number | null, how?: 'step') => void;
  slide: (number: number) => void;
}

/** The moment is kept in the address (`?event=184219`), so that it can be linked; without one it is now. */
export function useChosenMoment(asked: number | null, lastNumber: number): ChosenMoment {
  const navigate = useNavigate();
  const [sliding, setSliding] = useState<number | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const go = (number: number | null, replace: boolean) =>
    navigate({
      to: '/audit',
      search: (number === null ? {} : { event: String(number) }) as never,
      replace,
      resetScroll: false,
    });
  const number = Math.min(asked ?? lastNumber, lastNumber);
  return {
    number,
    shown: sliding ?? number,
    isNow: asked === null,
    choose: (chosen, how) => {
      clearTimeout(timer.current);
      setSliding(null);
      void go(chosen, how === 'step');
    },
    slide: (chosen) => {
      setSliding(chosen);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        // The slider's end is now.
        void go(chosen >= lastNumber ? null : chosen, true).then(() => setSliding(null));
      }, SLIDE_RESTS_MS);
    },
  };
}
