import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { ensureOperator } from '#auth/ensure-operator.ts'
import { openVault } from '#auth/open-vault.ts'
import { createApp } from '#http/app.ts'
import { createHttpServer } from '#http/create-http-server.ts'
import { mcpShortcut } from '#http/mcp-shortcut.ts'
import { requeueRunning } from '#jobs/queue.ts'
import { openLocalEmbeddings } from '#models/local/local-embeddings.ts'
import { lockFolder } from '#store/lock-folder.ts'
import { ensureFolder, openStore } from '#store/open.ts'
import { type Config, type Secrets, keyFileOf, loadSecrets } from './config.ts'
import { createContext } from './context.ts'
import { createLog } from './log.ts'

export type Service = {
  /** Where it answers, with an address that opens; null for a worker, which listens nowhere. */
  url: string | null
  /** Stops taking requests, lets those under way end, gives jobs back, and closes everything. */
  stop(): Promise<void>
}

/** Requests under way get so long to end when the service stops. */
const DRAIN_MS = 10_000

/**
 * Starts the service: database, worker and HTTP as its role asks for. Throws `StoreError`, `ConfigError`,
 * `NewerSchemaError`, `FolderLockedError`, `AccountError` or `ListenError`, each with a sentence for the operator.
 */
export async function startService(config: Config, secrets: Secrets = loadSecrets()): Promise<Service> {
  const stack = new AsyncDisposableStack()
  try {
    const log = createLog(config.logLevel)
    if (!config.rateLimits) log.warn('DOCENT_RATE_LIMITS is off: nothing limits how often anybody calls')
    const onError = (error: Error) => log.error({ err: error }, 'a database connection broke')
    ensureFolder(config.dataDir)
    if (config.database.engine === 'sqlite') stack.use(lockFolder(config.dataDir))
    const store = stack.use(await openStore({ database: config.database, onError }))
    // Alone on its folder: whatever runs according to the queue died with the process before.
    if (store.engine === 'sqlite') await requeueRunning(store.write)
    if (secrets.admin && (await ensureOperator(store, secrets.admin))) log.info('made the account of the operator')

    const { vault, problem } = await openVault(store, { ...secrets, keyFile: keyFileOf(config) })
    if (problem) log.warn(problem)

    let url: string | null = null
    const baseUrl = () => config.publicUrl ?? url ?? `http://${config.host}:${config.port}`
    const localEmbeddings =
      config.embeddings?.kind === 'local' ? stack.use(await openLocalEmbeddings(config.embeddings.path)) : null
    if (localEmbeddings) log.info(`embeddings are made on this machine by ${localEmbeddings.name}`)
    const context = stack.use(createContext({ config, secrets, store, vault, log, localEmbeddings, baseUrl }))
    if (config.role !== 'worker')
      url = await listen(stack, config, createHttpServer(createApp(context.app).fetch, mcpShortcut(context.app)))
    // Before the server closes, which waits for every answer to end.
    stack.defer(() => context.endStreams())
    if (config.role !== 'web') stack.defer(workerOf(context))
    notePid(stack, config.dataDir)
    return { url, stop: () => stack.disposeAsync() }
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}

function workerOf({ startWorker }: ReturnType<typeof createContext>): () => Promise<void> {
  const worker = startWorker()
  return () => worker.stop()
}

/** The service cannot listen where it was told to. */
export class ListenError extends Error {
  override name = 'ListenError'
}

async function listen(stack: AsyncDisposableStack, { host, port }: Config, server: Server): Promise<string> {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const why = code === 'EADDRINUSE' ? 'is taken by another process' : `cannot be listened on (${code ?? 'unknown'})`
    throw new ListenError(`Port ${port} on ${host} ${why}. Give another with DOCENT_PORT.`, { cause })
  }
  stack.defer(() => closeServer(server))
  const address = server.address()
  const actual = typeof address === 'object' && address ? address.port : port
  return `http://${openable(host)}:${actual}`
}

/** Closing waits for idle keep-alive connections as well, so those are closed first, and the rest after a deadline. */
async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  await closed
  clearTimeout(deadline)
}

/** The address to put into a browser: "every interface" is none. */
function openable(host: string): string {
  if (host === '0.0.0.0' || host === '::' || host === '') return '127.0.0.1'
  return isIP(host) === 6 ? `[${host}]` : host
}

function notePid(stack: AsyncDisposableStack, dataDir: string): void {
  const path = join(dataDir, 'docent.pid')
  writeFileSync(path, `${process.pid}\n`)
  stack.defer(() => rmSync(path, { force: true }))
}
