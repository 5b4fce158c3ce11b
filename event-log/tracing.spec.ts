import { Tracing } from './tracing.js';

jest.mock('@opentelemetry/sdk-trace-base', () => {
  throw new Error('loaded');
});

it('loads nothing of OpenTelemetry while it is off', async () => {
  const tracing = await Tracing.open(null, 'api');
  expect([tracing, tracing.isOn]).toEqual([Tracing.off, false]);
  tracing.span('a span', ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01']).end();
  await tracing.close();
  await expect(Tracing.open('http://127.0.0.1:4318', 'api')).rejects.toThrow('loaded');
});
