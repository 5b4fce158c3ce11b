import { ticketOf } from './ticket-rules.js';

describe('a ticket as typed', () => {
  it('is trimmed', () => {
    expect(ticketOf({ subject: ' My deposit ', message: ' is missing\n' })).toEqual({
      ticket: { subject: 'My deposit', message: 'is missing' },
    });
  });

  it.each([
    [{ subject: ' ', message: 'x' }, ['subject']],
    [{ subject: 'x', message: '' }, ['message']],
    [{ subject: '', message: '' }, ['subject', 'message']],
  ])('needs subject and message', (draft, fields) => {
    const order = ticketOf(draft);
    expect(order).toHaveProperty('text', 'Please fill in both subject and message');
    expect(Object.keys('problems' in order ? order.problems : {})).toEqual(fields);
  });

  it('has bounds', () => {
    expect(ticketOf({ subject: 's'.repeat(100), message: 'm'.repeat(1000) })).toHaveProperty('ticket');
    expect(ticketOf({ subject: 's'.repeat(101), message: 'm' })).toHaveProperty(
      'text',
      'Subject must be 100 characters or less',
    );
    expect(ticketOf({ subject: 's', message: 'm'.repeat(1001) })).toHaveProperty(
      'text',
      'Message must be 1000 characters or less',
    );
  });
});
