import { idText, readPayment } from './nowpayments-fields.js';

describe('a payment in NOWPayments’ words', () => {
  it('reads the same when made, with text, and when read, with numbers', () => {
    const made = {
      payment_id: '5745459419',
      payment_status: 'waiting',
      pay_currency: 'btc',
      pay_amount: '0.17070286',
      price_amount: 3999.5,
      price_currency: 'usd',
      amount_received: null,
      order_id: 'dep-1',
      created_at: '2020-12-22T15:00:22.742Z',
    };
    const read = {
      ...made,
      payment_id: 5745459419,
      pay_currency: 'BTC',
      pay_amount: 0.17070286,
      price_amount: '3999.5',
      actually_paid: 0,
      burning_percent: 'null',
      payment_extra_ids: null,
    };
    expect(readPayment(read)).toEqual(readPayment(made));
    expect(readPayment(made)).toMatchObject({
      paymentId: '5745459419',
      payAmount: '0.17070286',
      priceAmount: '3999.5',
      cryptoType: 'BTC',
      actuallyPaid: '0',
      createdAtEpochMs: Date.UTC(2020, 11, 22, 15, 0, 22, 742),
    });
  });

  it('keeps an unknown status as pending, with its word', () => {
    const read = readPayment({ payment_id: 1, payment_status: 'hibernating', pay_currency: 'usdttrc20' });
    expect(read).toMatchObject({ status: 'pending', statusWord: 'hibernating', cryptoType: null });
  });

  it('knows parents and children', () => {
    const read = readPayment({
      payment_id: 1,
      payment_status: 'finished',
      pay_currency: 'ltc',
      parent_payment_id: 5513339153,
      payment_extra_ids: [2, '3', null],
    });
    expect(read).toMatchObject({ parentPaymentId: '5513339153', childPaymentIds: ['2', '3'] });
  });

  it.each([
    null,
    'text',
    [],
    {},
    { payment_id: 1, payment_status: 'finished' },
    { payment_id: {}, payment_status: 'x', pay_currency: 'btc' },
  ])('is not in %j', (json) => {
    expect(readPayment(json)).toBeUndefined();
  });

  it('takes no id that was rounded or could leave its place in an address', () => {
    expect(idText(2 ** 53)).toBeNull();
    expect(idText('1/../2')).toBeNull();
    expect(idText('null')).toBeNull();
  });
});
