import { BUILT_IN_NAMES } from '@docent/contract/values/tools'
import type { Outcome } from '@docent/contract/values/outcomes'
import type { Gauge as GaugeOf } from 'prom-client'

/** Who made an outgoing request. */
export type Purpose = 'crawl' | 'operation' | 'webhook' | 'model'

/** State of the service at the time of a scrape. */
export type Figures = {
  /** Jobs by state, and the age of the oldest due one in seconds. Null: the database does not answer. */
  jobs: { queued: number; running: number; failed: number; oldestSeconds: number } | null
  /** Connections to PostgreSQL, and queries that wait for one. Null on SQLite. */
  connections: { used: number; idle: number; waiting: number } | null
  /** Running threads of tools, and child processes by their work. */
  threads: number
  children: { read: number; build: number }
  /** Memory of the segments and impacts that all threads share, in bytes. */
  indexBytes: number
  /** Segments that were read from the store because they were not in memory. */
  indexReads: number
}

export type Metrics = Awaited<ReturnType<typeof openMetrics>>

/**
 * Upper bounds of the histograms, in seconds. OpenTelemetry's conventions advise those from .005 to 10 or longer. The
 * smaller ones are for searches, most of which take less than 1 ms.
 */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/**
 * Counts the work of one process for Prometheus. Names are those of OpenTelemetry's semantic conventions, in the form of
 * Prometheus. No label has a slug, an account, an address or the name of a custom tool.
 */
export async function openMetrics() {
  // Loaded only here: most instances are not scraped.
  const { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } = await import('prom-client')
  const register = new Registry()
  collectDefaultMetrics({ register })
  const durations = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Histogram({ name: `${name}_duration_seconds`, help, labelNames, buckets: BUCKETS, registers: [register] })
  const requests = durations('http_server_request', 'Answered HTTP requests', [
    'http_request_method',
    'http_route',
    'http_response_status_code',
  ])
  const calls = durations('mcp_server_operation', 'Tool calls of hosted servers', [
    'mcp_method_name',
    'gen_ai_tool_name',
    'docent_outcome',
  ])
  const fetches = durations('http_client_request', 'Outgoing HTTP requests, each until its body was read', [
    'docent_purpose',
    'http_response_status_code',
  ])
  const received = new Counter({
    name: 'docent_client_received_bytes_total',
    help: 'Bytes of bodies of outgoing requests, decompressed',
    labelNames: ['docent_purpose'],
    registers: [register],
  })
  const documents = new Counter({
    name: 'docent_crawl_documents_total',
    help: 'Fetched documents, by what reading them gave',
    labelNames: ['docent_result'],
    registers: [register],
  })
  const indexReads = new Counter({
    name: 'docent_index_reads_total',
    help: 'Indexes of sources that were not in memory and were read from the store',
    registers: [register],
  })
  const show = createGauges((name, help, labelNames) => new Gauge({ name, help, labelNames, registers: [register] }))
  return {
    /** A request was answered. `route` is a pattern. Status 499: the client left before. */
    answered: (request: { method: string; route: string; status: number; seconds: number }) =>
      requests.observe(
        {
          http_request_method: request.method,
          http_route: request.route,
          http_response_status_code: request.status,
        },
        request.seconds,
      ),
    /** A call of a hosted server ended. */
    called: ({ tool, outcome, durationMs }: { tool: string; outcome: Outcome; durationMs: number }) =>
      calls.observe(
        {
          mcp_method_name: 'tools/call',
          gen_ai_tool_name: BUILT_IN_NAMES.includes(tool) ? tool : 'custom',
          docent_outcome: outcome,
        },
        durationMs / 1000,
      ),
    /** An outgoing request ended. Status 0: there was no answer. */
    fetched(purpose: Purpose, { status, seconds, bytes }: { status: number; seconds: number; bytes: number }): void {
      fetches.observe({ docent_purpose: purpose, http_response_status_code: status }, seconds)
      received.inc({ docent_purpose: purpose }, bytes)
    },
    documentRead: (result: 'page' | 'rejected' | 'killed') => documents.inc({ docent_result: result }),
    async scrape(figures: Figures): Promise<{ type: string; text: string }> {
      show(figures)
      indexReads.reset()
      indexReads.inc(figures.indexReads)
      return { type: register.contentType, text: await register.metrics() }
    },
  }
}

type NewGauge = <Label extends string>(name: string, help: string, labelNames: Label[]) => GaugeOf<Label>

/** Gauges that show the figures of a scrape. */
function createGauges(gauge: NewGauge): (figures: Figures) => void {
  const up = gauge('docent_database_up', '1 if the database answers, otherwise 0', [])
  const jobs = gauge('docent_jobs', 'Jobs by state', ['docent_state'])
  const oldest = gauge('docent_jobs_oldest_due_seconds', 'Age of the oldest job that is due and waits', [])
  const connections = gauge('db_client_connection_count', 'Connections to PostgreSQL', ['db_client_connection_state'])
  const waiting = gauge('db_client_connection_pending_requests', 'Queries that wait for a connection', [])
  const threads = gauge('docent_tool_threads', 'Threads that run tools', [])
  const children = gauge('docent_child_processes', 'Child processes by their work', ['docent_work'])
  const indexBytes = gauge('docent_index_memory_bytes', 'Memory of opened indexes, shared by all threads', [])
  return (figures) => {
    up.set(figures.jobs ? 1 : 0)
    jobs.reset()
    const { oldestSeconds = Number.NaN, ...states } = figures.jobs ?? {}
    for (const [state, count] of Object.entries(states)) jobs.set({ docent_state: state }, count)
    oldest.set(oldestSeconds)
    if (figures.connections) {
      const { used, idle, waiting: queries } = figures.connections
      connections.set({ db_client_connection_state: 'used' }, used)
      connections.set({ db_client_connection_state: 'idle' }, idle)
      waiting.set(queries)
    }
    threads.set(figures.threads)
    for (const [work, count] of Object.entries(figures.children)) children.set({ docent_work: work }, count)
    indexBytes.set(Math.round(figures.indexBytes))
  }
}
