import { deviceNameOf } from './accounts.controller.js';

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0';
const IPHONE = 'iPhone; CPU iPhone OS 18_6 like Mac OS X';

it.each([
  ['Firefox on Windows', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0'],
  ['Chrome on Android', `Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Mobile Safari/537.36`],
  ['Edge on Windows', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36 Edg/141.0.0.0`],
  ['Safari on iPhone', `Mozilla/5.0 (${IPHONE}) AppleWebKit/605.1.15 Version/26.0 Mobile/15E148 Safari/604.1`],
  [
    'Safari on macOS',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/26.0 Safari/605.1.15',
  ],
  ['Another browser on another system', 'curl/8.5.0'],
  ['Another browser on another system', undefined],
  ['Another browser on another system', '<b>Your account is locked: visit evil.example</b>'],
])('reads "%s"', (name, userAgent) => {
  expect(deviceNameOf(userAgent)).toBe(name);
});
