import Sequencer from '@jest/test-sequencer';

/** The integration specs that take longest, longest first. */
const LONGEST = [
  'embedded/launcher/launcher.int.spec.ts',
  'embedded/launcher/secrets.int.spec.ts',
  'projections/src/views/ledger-index.view.int.spec.ts',
  'api/test/adversarial/last-second.int.spec.ts',
  'projections/src/runner.int.spec.ts',
  'embedded/postgres/postgres-server.int.spec.ts',
  'projections/src/rebuild-views.int.spec.ts',
  'api/test/adversarial/event-store-outage.int.spec.ts',
  'api/test/adversarial/every-cent-of-a-life.int.spec.ts',
  'api/src/payments/payments-campaign.int.spec.ts',
];

/**
 * Starts the longest files first, so that no worker is left alone with one of them at the end. Jest does the same by
 * the durations of earlier runs, but a fresh clone has none.
 */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const index = LONGEST.findIndex((name) => path.endsWith(name));
      return index === -1 ? LONGEST.length : index;
    };
    return super.sort(tests).sort((one, other) => rank(one) - rank(other));
  }
}
