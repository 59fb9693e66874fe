import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureOperator, createSetupLink } from '#auth/accounts.ts'
import { openVault } from '#auth/secret-keys.ts'
import type { Traces } from '#analytics/traces.ts'
import type { AppDeps } from '#http/app.ts'
import { type HttpServer, createHttpServer } from '#http/create-http-server.ts'
import { createMetricsServer } from '#http/metrics.ts'
import type { Store } from '#store/db.ts'
import { requeueRunning } from '#store/jobs/queue.ts'
import type { Worker } from '#jobs/worker.ts'
import { openableHost } from '#lib/addresses/client-network.ts'
import { openLocalEmbeddings } from '#models/local/local-embeddings.ts'
import { ensureFolder, lockFolder, restrictFiles } from '#store/engine/data-folder.ts'
import { openStore } from '#store/engine/open.ts'
import { StoreUnavailableError } from '#store/engine/outages.ts'
import { nameProcess } from '#store/engine/processes.ts'
import { type Config, type Secrets, keyFileOf } from './config.ts'
import { composeService } from './compose/compose-service.ts'
import { createLog } from './log.ts'

export type Service = {
  /** URL of the service, with an address that a browser can open. Null for a worker, which does not listen. */
  url: string | null
  /** Address of the page that creates the first account. Null if there is an account, or no dashboard. */
  setupLink: string | null
  /** Its database. A second connection of the same process would wait for locks without giving this one a turn. */
  store: Store
  /** Stops everything after pending requests. For `graceMs`, clients of open connections can send one more. */
  stop(options?: { graceMs?: number }): Promise<void>
}

const DRAIN_MS = 10_000
const SEND_MS = 1_000
/** Most clients with an active connection send their next request within this time. */
const GRACE_MS = 500

/**
 * Starts the service: database, worker and HTTP, depending on its role. Throws `StoreError`, `ConfigError`,
 * `UnknownSchemaError`, `FolderLockedError`, `AccountError` or `ListenError`, each with a sentence for the operator.
 * Waits for an unavailable PostgreSQL until `signal` aborts, then throws its reason.
 */
export async function startService(
  config: Config,
  secrets: Secrets,
  signal: AbortSignal = new AbortController().signal,
): Promise<Service> {
  const stack = new AsyncDisposableStack()
  try {
    let traces: Traces | null = null
    const log = createLog(config.logLevel, () => traces?.ids() ?? {})
    if (!config.rateLimits) log.warn('DOCENT_RATE_LIMITS is off: nothing limits how often anybody calls')
    ensureFolder(config.dataDir)
    for (const problem of restrictFiles(config.dataDir)) log.warn(problem)
    if (config.database.engine === 'sqlite') stack.use(lockFolder(config.dataDir))
    const processName = nameProcess(config.role)
    traces = stack.adopt(await openTracesOf(config, processName), (opened) => opened?.[Symbol.asyncDispose]())
    const store = stack.use(
      await openStore({
        processName,
        database: config.database,
        blobs: config.blobs,
        copies: {
          folder: join(config.dataDir, 'blob-cache'),
          onError: (err) => log.error({ err }, 'the copies of objects cannot be kept'),
        },
        onError: (err) =>
          log.error({ err, outage: err.outage }, `${err.what.replace('The', 'the')} cannot do its work`),
        onAnswer: () => log.info('the database answers again'),
        waitUntil: signal,
      }),
    )
    // The only process on its folder: running jobs belong to a dead process.
    if (store.engine === 'sqlite') await requeueRunning(store.write).catch(ignoreOutage)
    if (store.isReadOnly) log.warn('the database can only be read, and nothing is indexed, until the next start')
    if (secrets.admin && (await ensureOperator(store, secrets.admin))) log.info('made the account of the operator')

    const { vault, problem } = await openVault(store, { ...secrets, keyFile: keyFileOf(config) })
    if (problem) log.warn(problem)

    let url: string | null = null
    const listensOn = () => (url === null ? null : Number(new URL(url).port))
    const baseUrl = () => config.publicUrl ?? url ?? `http://${config.host}:${config.port}`
    const localEmbeddings =
      config.embeddings?.kind === 'local' ? stack.use(await openLocalEmbeddings(config.embeddings)) : null
    if (localEmbeddings) log.info(`embeddings are made on this machine by ${localEmbeddings.name}`)
    const isMeasured = config.metricsPort !== null || secrets.metricsToken !== null
    const metrics = isMeasured ? await (await import('#analytics/metrics.ts')).openMetrics() : null
    const given = {
      config,
      secrets,
      store,
      processName,
      vault,
      log,
      metrics,
      traces,
      localEmbeddings,
      baseUrl,
      listensOn,
    }
    const context = stack.use(composeService(given))
    const http = config.role === 'worker' ? null : createHttpServer(context.app)
    let worker: Worker | null = null
    let graceMs = GRACE_MS
    const stopHttp = () => http?.stop({ graceMs, sendMs: SEND_MS, deadlineMs: DRAIN_MS })
    // In parallel, because each takes time.
    stack.defer(async () => void (await Promise.all([context.endStreams(), stopHttp(), worker?.stop()])))
    http?.server.on('request', context.idle.touch)
    if (http) url = await listen(http, config)
    if (config.metricsPort !== null) await openMetricsPort(stack, { ...config, port: config.metricsPort }, context.app)
    if (config.role !== 'web' && !store.isReadOnly) worker = context.startWorker()
    context.idle.touch()
    notePid(stack, config.dataDir)
    const setupLink = url !== null && context.app.dashboard ? await createSetupLink(store, baseUrl()) : null
    return {
      url,
      setupLink,
      store,
      stop: (options) => {
        graceMs = options?.graceMs ?? GRACE_MS
        return stack.disposeAsync()
      },
    }
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}

/** Jobs of a dead process start again when their lease ends, too. */
function ignoreOutage(error: unknown): void {
  if (!(error instanceof StoreUnavailableError)) throw error
}

export class ListenError extends Error {
  override name = 'ListenError'
}

async function openTracesOf({ tracesUrl: url, tracesShare: share }: Config, processName: string) {
  return url === null ? null : (await import('#analytics/traces.ts')).openTraces({ url, share, processName })
}

type Listener = Pick<HttpServer, 'server'>

async function openMetricsPort(stack: AsyncDisposableStack, at: At, { metrics, log }: AppDeps): Promise<void> {
  if (!metrics) return
  const server = createMetricsServer(metrics, (err) => log.error({ err }, 'the metrics could not be read'))
  stack.defer(() => void server.close())
  log.info(`metrics are at ${await listen({ server }, at, 'DOCENT_METRICS_PORT')}/metrics`)
}

type At = Pick<Config, 'host' | 'port'>

async function listen({ server }: Listener, { host, port }: At, setting = 'DOCENT_PORT'): Promise<string> {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const why = code === 'EADDRINUSE' ? 'is taken by another process' : `cannot be listened on (${code ?? 'unknown'})`
    throw new ListenError(`Port ${port} on ${host} ${why}. Give another with ${setting}.`, { cause })
  }
  const address = server.address()
  const actual = typeof address === 'object' && address ? address.port : port
  return `http://${openableHost(host)}:${actual}`
}

function notePid(stack: AsyncDisposableStack, dataDir: string): void {
  const path = join(dataDir, 'docent.pid')
  try {
    writeFileSync(path, `${process.pid}\n`)
    stack.defer(() => rmSync(path, { force: true }))
  } catch {
    // The disk is full or read-only. Only scripts of operators read this file.
  }
}
