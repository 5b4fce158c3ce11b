import type { TicketEvent } from '../../../contracts/events/gamer-events.js';
import { EventLog } from '../../../event-log/event-log.js';
import { StreamTombstoned, UnknownOutcome } from '../../../event-log/event-log.types.js';
import type { Clock } from '../platform/clock.js';
import { StreamCommands } from './stream-commands.js';

const opened: TicketEvent = { type: 'TicketOpened', data: { ticketId: 't', gamerId: 'g', subject: 's', message: 'm' } };

function execute(append: () => Promise<never>, clock: Partial<Clock> = {}): Promise<unknown> {
  const log = { async *readStream() {}, append } as unknown as EventLog;
  return new StreamCommands(log, { now: () => 0, fault: null, ...clock } as Clock).execute({
    stream: 'ticket-t',
    initial: null,
    evolve: () => null,
    decide: () => ({ events: [opened] }),
    metadata: { actor: { id: 'g', role: 'gamer' }, commandId: 'c' },
    content: null,
  });
}

describe('a command on a stream', () => {
  it('is refused when the stream was tombstoned after it was read', async () => {
    const appended = execute(() => Promise.reject(new StreamTombstoned('ticket-t: deleted')));
    await expect(appended).rejects.toMatchObject({ refusal: { code: 'not-found' } });
  });

  it('is refused while the clock of the node is not trusted', async () => {
    const append = jest.fn<Promise<never>, []>();
    await expect(execute(append, { fault: 'the clock is 9000 ms ahead of Postgres’ clock' })).rejects.toMatchObject({
      refusal: { code: 'clock-untrusted' },
    });
    expect(append).not.toHaveBeenCalled();
  });

  it.each([
    ['never ends', () => new Promise<never>(() => {})],
    ['has an unknown outcome again and again', () => slowly(new UnknownOutcome('no answer'))],
  ])('is answered after five seconds while its append %s', async (_name, append) => {
    jest.useFakeTimers();
    const tries = jest.fn(append);
    const answered = expect(execute(tries)).rejects.toThrow('ticket-t: the log did not confirm the command in time');
    await jest.advanceTimersByTimeAsync(5_000);
    await answered;
    const triesBefore = tries.mock.calls.length;
    await jest.advanceTimersByTimeAsync(60_000);
    expect(tries).toHaveBeenCalledTimes(triesBefore);
    jest.useRealTimers();
  });
});

const slowly = async (error: Error): Promise<never> => {
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  throw error;
};
