/** Odds of each kind of fault: per call, or for those at the end per step of the play or per start. */
const WORST = {
  appendLost: 0.1,
  appendWithoutResponse: 0.1,
  appendLate: 0.1,
  readBroken: 0.08,
  logSilent: 0.5,
  storeFailed: 0.05,
  storeSlow: 0.05,
  storeSilent: 0.5,
  responseLost: 0.08,
  requestSlow: 0.2,
  sentTwice: 0.2,
  logOutage: 0.03,
  storeOutage: 0.03,
  gatewayFailed: 0.2,
  callbackLost: 0.5,
  callbackHeld: 0.5,
  callbackRepeated: 0.5,
  callbackForged: 0.5,
  nearZero: 0.05,
  crash: 0.03,
  crashOfAll: 0.02,
  freeze: 0.04,
  clockStep: 0.03,
  clockWrong: 0.9,
  socketStalled: 0.2,
  socketCut: 0.2,
  socketSilent: 0.2,
  workerReadBroken: 0.2,
  workerSessionLost: 0.03,
  workerLockLost: 0.05,
  workerCrash: 0.05,
  workerFrozen: 0.05,
  workerClockStep: 0.05,
};

export type Fault = keyof typeof WORST;
export const FAULTS = Object.keys(WORST) as Fault[];
export type Odds = Record<Fault, number>;

/** A swarm: every seed draws which kinds of faults exist, and how often each occurs. */
export function drawOdds(random: () => number): Odds {
  const shareOfKinds = random();
  const odds = FAULTS.map((kind) => [kind, random() < shareOfKinds ? WORST[kind] * random() : 0] as const);
  return Object.fromEntries(odds) as Odds;
}
