import { portSetting, requiredSetting, runStandIn } from '../shared/stand-in-process.js';
import { startWitness } from './start-witness.js';

await runStandIn('witness', ['url', 'policyLine'], async () =>
  startWitness({
    port: portSetting('WITNESS_PORT', 4030),
    stateFile: requiredSetting('WITNESS_STATE_FILE'),
    logKeys: requiredSetting('WITNESS_LOG_KEYS').split(' '),
  }),
);
