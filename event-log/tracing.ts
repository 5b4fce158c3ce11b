import { randomBytes } from 'node:crypto';
import type { SpanContext, Tracer } from '@opentelemetry/api';
import { TRACEPARENT } from '../contracts/events/metadata.js';

/** A late worker or node must not send spans of traces that ended long ago. */
const TRACED_FOR_MS = 60_000;
const SAMPLED = 1;

export interface Span {
  /** Names the span, so that others can continue from it. */
  traceparent: string;
  end(attributes?: Record<string, string | number>): void;
}

interface OpenTelemetry {
  tracer: Tracer;
  newTraceIds: string[];
  continuing(parent: SpanContext): Parameters<Tracer['startSpan']>[2];
  close(): Promise<void>;
}

/**
 * Records where a request's time goes, over all processes (OpenTelemetry, OTLP over HTTP). Off without a collector's address:
 * then nothing of OpenTelemetry is loaded. The spans of a purchase are the request, its command and append in the ledger,
 * its rows in the tables, and its message to the sockets; the event's metadata carry the request's span to them.
 */
export class Tracing {
  static readonly off = new Tracing(null);

  private constructor(private readonly sdk: OpenTelemetry | null) {}

  /** @param endpoint the collector's address; null turns tracing off */
  static async open(endpoint: string | null, service: string): Promise<Tracing> {
    return endpoint === null ? Tracing.off : new Tracing(await openTelemetry(endpoint, service));
  }

  get isOn(): boolean {
    return this.sdk !== null;
  }

  /** Starts the first span of a process: continues the sender's trace, or begins one whose id is `traceId` if that is given. */
  request(name: string, sender: string | undefined, traceId: string | undefined): Span {
    const { sdk } = this;
    if (sdk === null) throw new Error('tracing is off');
    const parent = contextOf(sender);
    if (parent === null && traceId !== undefined) sdk.newTraceIds.push(traceId);
    const span = sdk.tracer.startSpan(
      name,
      { root: parent === null },
      parent === null ? undefined : sdk.continuing(parent),
    );
    const { traceId: id, spanId } = span.spanContext();
    return {
      traceparent: `00-${id}-${spanId}-01`,
      end: (attributes = {}) => span.setAttributes(attributes).end(),
    };
  }

  /** Starts a span in each of these requests' traces. */
  span(name: string, traceparents: Iterable<string | undefined>): Pick<Span, 'end'> {
    const { sdk } = this;
    if (sdk === null) return { end: () => {} };
    const parents = [...new Set(traceparents)].map(contextOf).filter((parent) => parent !== null);
    const spans = parents.map((parent) => sdk.tracer.startSpan(name, {}, sdk.continuing(parent)));
    return {
      end: (attributes = {}) => {
        for (const span of spans) span.setAttributes(attributes).end();
      },
    };
  }

  /** As `span`, for events: those of the last minute. */
  spanOfEvents(name: string, events: Iterable<{ metadata: { at: number; traceparent?: string } }>): Pick<Span, 'end'> {
    if (this.sdk === null) return { end: () => {} };
    const sinceMs = Date.now() - TRACED_FOR_MS;
    const recent = [...events].filter(({ metadata }) => metadata.at >= sinceMs);
    return this.span(
      name,
      recent.map(({ metadata }) => metadata.traceparent),
    );
  }

  /** Sends the spans that wait. */
  async close(): Promise<void> {
    await this.sdk?.close();
  }
}

/** Null for a text of another form: a sender may write anything. */
function contextOf(traceparent: string | undefined): SpanContext | null {
  const [, traceId, spanId] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  return traceId && spanId ? { traceId, spanId, traceFlags: SAMPLED, isRemote: true } : null;
}

async function openTelemetry(endpoint: string, service: string): Promise<OpenTelemetry> {
  const [api, base, otlp, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const newTraceIds: string[] = [];
  const random = (bytes: number) => randomBytes(bytes).toString('hex');
  const provider = new base.BasicTracerProvider({
    resource: resources.resourceFromAttributes({ 'service.name': service }),
    spanProcessors: [
      new base.BatchSpanProcessor(new otlp.OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` })),
    ],
    // `startSpan` takes no id for a new trace, but asks for one at once.
    idGenerator: { generateTraceId: () => newTraceIds.pop() ?? random(16), generateSpanId: () => random(8) },
  });
  return {
    tracer: provider.getTracer('omni-jackpot'),
    newTraceIds,
    continuing: (parent) => api.trace.setSpanContext(api.ROOT_CONTEXT, parent),
    close: () => provider.shutdown(),
  };
}
