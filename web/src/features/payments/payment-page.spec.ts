import { paymentPageUrl } from './payment-page.js';

describe('the page of a payment', () => {
  it('is a web page', () => {
    expect(paymentPageUrl('https://nowpayments.io/payment/?iid=1')).toBe('https://nowpayments.io/payment/?iid=1');
    expect(paymentPageUrl('http://127.0.0.1:4010/payment/?iid=1')).not.toBeNull();
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', '/payment', ''])('is not %j', (url) =>
    expect(paymentPageUrl(url)).toBeNull(),
  );
});
