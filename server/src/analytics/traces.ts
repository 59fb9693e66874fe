import { AsyncLocalStorage } from 'node:async_hooks'
import type { Attributes, Context, SpanOptions, TextMapGetter } from '@opentelemetry/api'
import { VERSION } from '#version.ts'

export type Traces = Awaited<ReturnType<typeof openTraces>>

type Options = {
  /** Base address of a collector, to which `v1/traces` is added. */
  url: string
  /** Share of traces to send, 0 to 1. A caller's trace is sent as often, so that no caller decides on the amount. */
  share: number
  /** Tells processes apart. */
  processName: string
}

type Incoming = { method?: string | undefined; headers: object }
type Outgoing = { statusCode: number; writableFinished: boolean; once(event: 'close', listener: () => void): unknown }

/** Attributes of a span, and the members of a message that may have its parent: `traceparent` and `tracestate`. */
type Begin = { attributes?: Attributes; parent?: unknown }

const FIELDS: TextMapGetter<unknown> = {
  keys: () => [],
  get: (carrier, key) => {
    const value = typeof carrier === 'object' && carrier !== null ? (carrier as Record<string, unknown>)[key] : null
    return typeof value === 'string' ? value : undefined
  },
}

/**
 * Sends traces to an OpenTelemetry collector (OTLP over HTTP, JSON), in batches. What cannot be sent is dropped. Names
 * of spans and attributes are those of OpenTelemetry's semantic conventions; no attribute has a question or an address.
 */
export async function openTraces(options: Options) {
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = await import('@opentelemetry/api')
  const { provider, propagator } = await openProvider(options)
  const tracer = provider.getTracer('docent', VERSION)
  const contexts = new AsyncLocalStorage<Context>()
  const current = () => contexts.getStore() ?? ROOT_CONTEXT

  const begin = (name: string, { parent, ...options }: SpanOptions & Begin) => {
    const from = parent === undefined ? current() : propagator.extract(current(), parent, FIELDS)
    const span = tracer.startSpan(name, options, from)
    return { span, context: trace.setSpan(from, span) }
  }
  return {
    /** Runs work as a span within the current one, or within that of the caller's message. */
    async span<T>(name: string, options: Begin, work: () => T | Promise<T>): Promise<T> {
      const { span, context } = begin(name, options)
      try {
        return await contexts.run(context, work)
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'thrown' })
        throw error
      } finally {
        span.end()
      }
    },
    /** Answers an HTTP request as a span, which ends when the answer is sent or the client has left. */
    request<T>(incoming: Incoming, outgoing: Outgoing, work: () => T): T {
      const method = incoming.method ?? ''
      const attributes = { 'http.request.method': method }
      const { span, context } = begin(method, { kind: SpanKind.SERVER, attributes, parent: incoming.headers })
      outgoing.once('close', () => {
        span.setAttribute('http.response.status_code', outgoing.writableFinished ? outgoing.statusCode : 499)
        if (outgoing.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
        span.end()
      })
      return contexts.run(context, work)
    },
    /** Names the current span of a request by its route, a pattern. */
    routed(method: string, route: string): void {
      trace.getSpan(current())?.updateName(`${method} ${route}`).setAttribute('http.route', route)
    },
    /** Headers that make the receiver of a request part of the trace. */
    headers(): Record<string, string> {
      const headers: Record<string, string> = {}
      const set = (_: unknown, key: string, value: string) => void (headers[key] = value)
      propagator.inject(current(), headers, { set })
      return headers
    },
    /** Members of a log line: the ids of the current span. */
    ids(): { trace_id?: string; span_id?: string } {
      const span = trace.getSpan(current())?.spanContext()
      return span ? { trace_id: span.traceId, span_id: span.spanId } : {}
    },
    /** The function, which runs in the present context whoever calls it. */
    bind: <F extends (...args: never[]) => unknown>(work: F): F => AsyncLocalStorage.bind(work),
    /** Sends what is left, for at most 5 s. */
    [Symbol.asyncDispose]: () =>
      Promise.race([
        provider.shutdown().catch(() => undefined),
        new Promise<void>((resolve) => void setTimeout(resolve, 5_000).unref()),
      ]),
  }
}

async function openProvider({ url, share, processName }: Options) {
  // Loaded only here: most instances send no traces.
  const [sdk, { OTLPTraceExporter }, { W3CTraceContextPropagator }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/core'),
    import('@opentelemetry/resources'),
  ])
  const sampler = new sdk.TraceIdRatioBasedSampler(share)
  const exporter = new OTLPTraceExporter({ url: new URL('v1/traces', url.endsWith('/') ? url : `${url}/`).href })
  const provider = new sdk.TracerProvider({
    sampler: new sdk.ParentBasedSampler({ root: sampler, remoteParentSampled: sampler }),
    resource: resourceFromAttributes({
      'service.name': 'docent',
      'service.version': VERSION,
      'service.instance.id': processName,
    }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  })
  return { provider, propagator: new W3CTraceContextPropagator() }
}
