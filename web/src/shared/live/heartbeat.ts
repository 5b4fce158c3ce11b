/** A frozen server is noticed at most 5 + 2 + 2 seconds after its last answer. */
const PING_EVERY_MS = 5_000;
const ANSWER_MS = 2_000;
const MISSED_ANSWERS = 2;

interface HeartbeatOptions {
  /** Sends a ping; `answered` is called when its answer arrives, however late. */
  ping: (answered: () => void) => void;
  onAnswer: (roundTripMs: number) => void;
  /** Called once when two answers in a row are missing, until the next answer. */
  onSilence: () => unknown;
}

export function startHeartbeat({ ping, onAnswer, onSilence }: HeartbeatOptions): () => void {
  let timer: ReturnType<typeof setTimeout>;
  let missed = 0;
  let isStopped = false;
  const beat = () => {
    const sentAtMonotonicMs = performance.now();
    let isAnswered = false;
    ping(() => {
      if (isStopped) return;
      isAnswered = true;
      missed = 0;
      onAnswer(performance.now() - sentAtMonotonicMs);
    });
    timer = setTimeout(() => {
      if (isAnswered) {
        timer = setTimeout(beat, PING_EVERY_MS - ANSWER_MS);
        return;
      }
      missed += 1;
      if (missed === MISSED_ANSWERS) onSilence();
      beat();
    }, ANSWER_MS);
  };
  beat();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
