import { io, type Socket } from 'socket.io-client';
import { type ClientToServer, type ServerToClient, SOCKET_PATH } from '../../../../contracts/live.js';
import { rememberPosition } from '../api/log-position.js';
import { addClockSample, forgetClockSamples } from '../clock/server-clock.js';
import { currentConnection, isDown, setConnection } from './connection.js';
import { LIVE_EVENTS, type LiveEventName, type LiveMessage, sayInPage } from './live-events.js';

/** Specification §9, socket. */
export const RECONNECT_ATTEMPTS = 10;
const RECONNECT_DELAY_MS = 1_000;
const RECONNECT_DELAY_MAX_MS = 5_000;
const CONNECT_TIMEOUT_MS = 60_000;

const CLOCK_SAMPLES_AT_CONNECT = 5;
const CLOCK_SAMPLE_GAP_MS = 250;
const CLOCK_SAMPLE_EVERY_MS = 30_000;
const CLOCK_ANSWER_TIMEOUT_MS = 5_000;
/** The two clocks of this computer disagree by more than this: it slept, or somebody set its clock. */
const SLEEP_NOTICED_MS = 250;

let socket: Socket<ServerToClient, ClientToServer> | null = null;

/** The only door to the socket. Called once, when the page starts. */
export function openLiveSocket(): void {
  if (socket) return;
  socket = io({
    path: SOCKET_PATH,
    transports: ['polling', 'websocket'],
    reconnectionAttempts: RECONNECT_ATTEMPTS,
    reconnectionDelay: RECONNECT_DELAY_MS,
    reconnectionDelayMax: RECONNECT_DELAY_MAX_MS,
    timeout: CONNECT_TIMEOUT_MS,
    withCredentials: true,
  });
  const opened = socket;
  opened.onAny(relay);

  opened.on('connect', () => {
    setConnection({ state: 'connected' });
    forgetClockSamples();
    for (let i = 0; i < CLOCK_SAMPLES_AT_CONNECT; i += 1) setTimeout(askTime, i * CLOCK_SAMPLE_GAP_MS);
    sayInPage('socket-connected', null);
  });
  opened.on('disconnect', (reason) => {
    if (reason === 'io client disconnect') return;
    lose(0);
    if (reason === 'io server disconnect') opened.connect();
  });
  opened.on('connect_error', (error) => {
    if (error.message.includes('websocket')) opened.io.opts.transports = ['polling'];
    lose(0);
  });
  opened.io.on('reconnect_attempt', (attempt) => lose(attempt));
  opened.io.on('reconnect_failed', () => setConnection({ state: 'given-up', sinceMs: downSince() }));

  window.addEventListener('online', () => {
    if (isDown(currentConnection())) reconnect();
  });
  setInterval(askTime, CLOCK_SAMPLE_EVERY_MS);
  watchForSleep();
}

/** Ten new attempts, from now. */
export function reconnect(): void {
  if (!socket) return;
  setConnection({ state: 'lost', attempt: 1, sinceMs: downSince() });
  socket.disconnect();
  socket.connect();
}

/** The server knows a socket by the session it was opened with: after login it must be opened anew. */
export function reopenAs(): void {
  if (!socket) return;
  socket.disconnect();
  socket.connect();
}

function relay(name: string, message: LiveMessage<LiveEventName>): void {
  const known = LIVE_EVENTS.find((event) => event === name);
  if (known === undefined) return;
  rememberPosition(message.position);
  sayInPage<LiveEventName>(known, message);
}

function lose(attempt: number): void {
  const now = currentConnection();
  const known = now.state === 'lost' ? now.attempt : 0;
  setConnection({ state: 'lost', attempt: Math.max(attempt, known, 1), sinceMs: downSince() });
}

function downSince(): number {
  const now = currentConnection();
  return now.state === 'lost' || now.state === 'given-up' ? now.sinceMs : Date.now();
}

function askTime(): void {
  if (!socket?.connected) return;
  const sentAtMs = performance.now();
  socket.timeout(CLOCK_ANSWER_TIMEOUT_MS).emit('time:sync', (error, serverTimeEpochMs) => {
    if (!error && Number.isFinite(serverTimeEpochMs)) addClockSample(sentAtMs, performance.now(), serverTimeEpochMs);
  });
}

function watchForSleep(): void {
  let gapMs = Date.now() - performance.now();
  const check = () => {
    const gapNowMs = Date.now() - performance.now();
    if (Math.abs(gapNowMs - gapMs) > SLEEP_NOTICED_MS) {
      gapMs = gapNowMs;
      forgetClockSamples();
      askTime();
    }
  };
  setInterval(check, 1_000);
  document.addEventListener('visibilitychange', () => {
    check();
    if (document.visibilityState === 'visible') askTime();
  });
}
