import { useEffect, useEffectEvent, useState } from 'react';
import { toastProblem } from '../../shared/ui/toasts.js';
import type { DemoFrame } from './lamp-demo.js';

export interface Demo {
  /** Null while the demonstration does not play. */
  frame: DemoFrame | null;
  start: () => void;
  stop: () => void;
}

/**
 * The demonstration of the lamps, which the visitor starts.
 *
 * @param isAllowed false ends it: the lamps are needed for a round
 */
export function useDemo(isAllowed: boolean, rowWidthPx: number): Demo {
  const [isPlaying, setIsPlaying] = useState(false);
  const [frame, setFrame] = useState<DemoFrame | null>(null);
  const runs = isPlaying && isAllowed;
  useEffect(() => {
    if (!isAllowed) setIsPlaying(false);
  }, [isAllowed]);
  const rowWidth = useEffectEvent(() => rowWidthPx);
  useEffect(() => {
    if (!runs) return;
    let stop: () => void = () => undefined;
    let isOver = false;
    // Lazy: most visitors come to play.
    import('./lamp-demo.js').then(
      ({ playDemo }) => {
        if (isOver) return;
        stop = playDemo(rowWidth, (next) => {
          setFrame(next);
          if (next === null) setIsPlaying(false);
        });
      },
      () => {
        toastProblem('The demonstration could not be loaded', 'Please try again.');
        setIsPlaying(false);
      },
    );
    return () => {
      isOver = true;
      stop();
      setFrame(null);
    };
  }, [runs]);
  return { frame: runs ? frame : null, start: () => setIsPlaying(true), stop: () => setIsPlaying(false) };
}
