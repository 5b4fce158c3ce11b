import { NO_PROFILE, type ProfileName, type ProtectionProfile } from './limits.js';

const none = { day: null, week: null, month: null };

/** The operator's profiles (decision 58): what PROTECTION_PROFILE means. docs/player-protection.md says it in words. */
export const PROTECTION_PROFILES: Readonly<Record<ProfileName, ProtectionProfile>> = {
  none: NO_PROFILE,
  standard: {
    profile: 'standard',
    limits: {
      spending: none,
      deposits: { day: 50_000, week: 150_000, month: 300_000 },
      loss: { day: null, week: null, month: 200_000 },
    },
    mustChooseLimits: false,
  },
  strict: {
    profile: 'strict',
    limits: {
      spending: none,
      deposits: { day: 20_000, week: 50_000, month: 100_000 },
      loss: { day: 10_000, week: 25_000, month: 50_000 },
    },
    mustChooseLimits: true,
  },
};

/** The longest time between two reality checks, minutes; null for the setting's own choice. */
export const LONGEST_REALITY_CHECKS: Readonly<Record<ProfileName, number | null>> = {
  none: null,
  standard: 30,
  strict: 15,
};
