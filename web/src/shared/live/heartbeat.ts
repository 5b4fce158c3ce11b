/** A frozen server is noticed at most 5 + 2 + 2 seconds after its last response. */
const PING_EVERY_MS = 5_000;
const RESPONSE_TIMEOUT_MS = 2_000;
const MISSED_RESPONSES = 2;

interface HeartbeatOptions {
  /** Sends a ping; `onResponse` is called when its response arrives, however late. */
  ping: (onResponse: () => void) => void;
  onResponse: (roundTripMs: number) => void;
  /** Called once when two responses in a row are missing, until the next response. */
  onSilence: () => unknown;
}

export function startHeartbeat({ ping, onResponse, onSilence }: HeartbeatOptions): () => void {
  let timer: ReturnType<typeof setTimeout>;
  let missed = 0;
  let isStopped = false;
  const beat = () => {
    const sentAtMonotonicMs = performance.now();
    let hasResponse = false;
    ping(() => {
      if (isStopped) return;
      hasResponse = true;
      missed = 0;
      onResponse(performance.now() - sentAtMonotonicMs);
    });
    timer = setTimeout(() => {
      if (hasResponse) {
        timer = setTimeout(beat, PING_EVERY_MS - RESPONSE_TIMEOUT_MS);
        return;
      }
      missed += 1;
      if (missed === MISSED_RESPONSES) onSilence();
      beat();
    }, RESPONSE_TIMEOUT_MS);
  };
  beat();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
