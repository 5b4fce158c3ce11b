import { ticketOf } from './ticket-rules.js';

describe('a typed ticket', () => {
  it('is trimmed', () => {
    expect(ticketOf({ subject: ' My deposit ', message: ' is missing\n' })).toEqual({
      ticket: { subject: 'My deposit', message: 'is missing' },
    });
  });

  const required = 'Please fill in both subject and message';
  it.each([
    [{ subject: ' ', message: 'x' }, { subject: required }],
    [{ subject: 'x', message: '' }, { message: required }],
    [
      { subject: '', message: '' },
      { subject: required, message: required },
    ],
  ])('requires subject and message', (draft, problems) => {
    expect(ticketOf(draft)).toEqual({ problems });
  });

  it('has a longest subject and a longest message', () => {
    expect(ticketOf({ subject: 's'.repeat(100), message: 'm'.repeat(1000) })).toHaveProperty('ticket');
    expect(ticketOf({ subject: 's'.repeat(101), message: 'm' })).toEqual({
      problems: { subject: 'Subject must be 100 characters or less' },
    });
    expect(ticketOf({ subject: 's', message: 'm'.repeat(1001) })).toEqual({
      problems: { message: 'Message must be 1000 characters or less' },
    });
  });
});
