import { totpCode } from '../../../test/second-factor.js';
import { secretText, stepOfCode, totpUri } from './totp.js';

/** The secret and the codes of RFC 6238, appendix B, cut to six digits. */
const SECRET = Buffer.from('12345678901234567890');

it.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('makes the RFC’s code at second %i', (second, code) => {
  expect(totpCode(SECRET, second * 1000)).toBe(code);
});

it('accepts the code of the current step and of its two neighbours, and returns its step', () => {
  const nowMs = 1_111_111_111_000;
  const step = Math.floor(nowMs / 30_000);
  for (const steps of [-1, 0, 1]) {
    expect(stepOfCode(SECRET, totpCode(SECRET, nowMs + steps * 30_000), nowMs)).toBe(step + steps);
  }
  for (const steps of [-2, 2]) {
    expect(stepOfCode(SECRET, totpCode(SECRET, nowMs + steps * 30_000), nowMs)).toBeNull();
  }
});

it.each(['', '05047', '0504711', '050472', '０５０４７１'])('refuses %j', (code) => {
  expect(stepOfCode(SECRET, code, 1_111_111_111_000)).toBeNull();
});

it('writes the secret and the address as authenticator apps read them', () => {
  expect(secretText(SECRET)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  expect(totpUri(SECRET, 'admin')).toBe(
    'otpauth://totp/Omni%20Jackpot:admin?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Omni%20Jackpot',
  );
});
