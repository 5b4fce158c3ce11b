import type { io as IO, Socket } from 'socket.io-client';
import { type ClientToServer, type ServerToClient, SOCKET_PATH } from '../../../../contracts/live.js';
import { rememberPosition } from '../api/api-client.js';
import { addClockSample, forgetClockSamples, isClockKnown, sleep } from '../clock.js';
import { lazyImport } from '../ui/lazy.js';
import { connection, emitPageEvent, isDown, type LiveEventName, type LiveMessage } from './live-events.js';

/** Specification §9, socket. */
export const RECONNECT_ATTEMPTS = 10;
const RECONNECT_DELAY_MS = 1_000;
const RECONNECT_DELAY_MAX_MS = 5_000;
const CONNECT_TIMEOUT_MS = 60_000;

const CLOCK_SAMPLES_AT_CONNECT = 5;
const CLOCK_SAMPLE_GAP_MS = 250;

/** This is not part of the first load: the page shows the game before it is connected. */
const fetchClient = lazyImport(() => import('socket.io-client'));
let socket: Socket<ServerToClient, ClientToServer> | null = null;

export async function openLiveSocket(): Promise<void> {
  for (let attempt = 1; attempt <= RECONNECT_ATTEMPTS; attempt += 1) {
    const client = await fetchClient().catch(() => null);
    if (client !== null) {
      if (socket === null) listenTo(client.io);
      return;
    }
    showLost(attempt);
    await sleep(Math.min(attempt * RECONNECT_DELAY_MS, RECONNECT_DELAY_MAX_MS));
  }
  connection.set({ state: 'given-up' });
}

function listenTo(io: typeof IO): void {
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
  let stopHeartbeat = () => {};
  opened.onAny(relay);

  opened.on('connect', () => {
    connection.set({ state: 'connected' });
    for (let i = 0; i < CLOCK_SAMPLES_AT_CONNECT; i += 1) setTimeout(sampleClock, i * CLOCK_SAMPLE_GAP_MS);
    stopHeartbeat();
    const onSilence = () => connection.get().state === 'connected' && connection.set({ state: 'silent' });
    stopHeartbeat = startHeartbeat({ ping: sampleClock, onResponse: showResponse, onSilence });
    // The state comes once the socket is in its rooms. Earlier responses may be older than messages that the socket missed.
    opened.off('state:update').once('state:update', () => emitPageEvent('socket-connected', null));
  });
  opened.on('disconnect', (reason) => {
    stopHeartbeat();
    // A login closes and reopens the socket; the clock stays known.
    if (reason === 'io client disconnect') return;
    forgetClockSamples();
    showLost(0);
    if (reason === 'io server disconnect') opened.connect();
  });
  opened.on('connect_error', (error) => {
    if (error.message.includes('websocket')) opened.io.opts.transports = ['polling'];
    showLost(0);
  });
  opened.io.on('reconnect_attempt', (attempt) => showLost(attempt));
  opened.io.on('reconnect_failed', () => connection.set({ state: 'given-up' }));

  window.addEventListener('online', () => {
    if (isDown(connection.get())) reconnect();
  });
  window.addEventListener('focus', () => {
    if (connection.get().state === 'given-up') reconnect();
  });
  document.addEventListener('visibilitychange', () => sampleClock());
  isClockKnown.subscribe(() => {
    if (!isClockKnown.get()) sampleClock();
  });
}

export function reconnect(): void {
  connection.set({ state: 'lost', attempt: 1 });
  if (socket) reopenSocket();
  else void openLiveSocket();
}

/** Call after a login: the server identifies a socket by the session it was opened with. */
export function reopenSocket(): void {
  socket?.disconnect().connect();
}

function relay(name: LiveEventName, message: LiveMessage<LiveEventName>): void {
  rememberPosition(message.position);
  emitPageEvent(name, message);
}

function showLost(attempt: number): void {
  const now = connection.get();
  connection.set({ state: 'lost', attempt: Math.max(attempt, now.state === 'lost' ? now.attempt : 0, 1) });
}

function showResponse(): void {
  if (connection.get().state !== 'silent') return;
  connection.set({ state: 'connected' });
  // The page may have missed messages.
  emitPageEvent('socket-connected', null);
}

function sampleClock(onResponse: () => void = () => undefined): void {
  if (!socket?.connected) return;
  const sentAtMonotonicMs = performance.now();
  socket.emit('time:sync', (serverTimeEpochMs) => {
    if (Number.isFinite(serverTimeEpochMs)) addClockSample(sentAtMonotonicMs, performance.now(), serverTimeEpochMs);
    onResponse();
  });
}

/** A frozen server is noticed at most 5 + 2 + 2 seconds after its last response. */
const PING_EVERY_MS = 5_000;
const RESPONSE_TIMEOUT_MS = 2_000;
const MISSED_RESPONSES = 2;

interface HeartbeatOptions {
  /** Sends a ping; `onResponse` is called when its response arrives, however late. */
  ping: (onResponse: () => void) => void;
  onResponse: () => void;
  /** Called once when two responses in a row are missing, until the next response. */
  onSilence: () => unknown;
}

export function startHeartbeat({ ping, onResponse, onSilence }: HeartbeatOptions): () => void {
  let timer: ReturnType<typeof setTimeout>;
  let missed = 0;
  let isStopped = false;
  const beat = () => {
    let hasResponse = false;
    ping(() => {
      if (isStopped) return;
      hasResponse = true;
      missed = 0;
      onResponse();
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
