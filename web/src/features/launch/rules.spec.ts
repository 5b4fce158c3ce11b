import { launchParts } from './rules.js';

describe('the launch countdown', () => {
  it('shows days, hours, minutes and seconds', () => {
    expect(launchParts(2 * 86_400 + 3 * 3_600 + 4 * 60 + 5)?.map((p) => p.value)).toEqual([2, 3, 4, 5]);
    expect(launchParts(1)?.map((p) => `${p.value} ${p.unit}`)).toEqual(['0 days', '0 hours', '0 minutes', '1 seconds']);
  });

  it('is over at zero', () => {
    expect(launchParts(0)).toBeNull();
  });
});
