import { availableParallelism } from 'node:os'
import { type ResourceLimits, Worker } from 'node:worker_threads'
import { threadEnvironment } from './isolation.ts'
import { type Listener, PoolError, type PoolOptions, type Transport } from './pool-worker.ts'
import { type FromWorker, type ToWorker, claim, newClaims, offer } from './serve-thread.ts'
import { WorkerPool } from './worker-pool.ts'

type ThreadOptions = {
  /** The program of the threads, which calls `serveThread`. */
  program: URL
  /** Passed to each thread as `workerData`. */
  data?: unknown
  limits?: ResourceLimits
}

export type ThreadPoolOptions = ThreadOptions &
  Partial<
    Pick<
      PoolOptions<never>,
      | 'workers'
      | 'startsAtOnce'
      | 'idleAfterMs'
      | 'isPrepared'
      | 'deadlineMs'
      | 'slowAfterMs'
      | 'queueLimit'
      | 'totalLimit'
      | 'onNote'
    >
  >

const DEFAULTS = {
  /** Threads beyond the configured number, while others are slow. Starting one takes about 200 ms. */
  extraWorkers: 2,
  extraIdleMs: 60_000,
  idleAfterMs: Number.POSITIVE_INFINITY,
  ahead: 1,
  /** A hundred times the duration of the slowest typical task. */
  deadlineMs: 10_000,
  /** The time of about a hundred searches. */
  slowAfterMs: 100,
  slowPerOwner: 1,
  /** Further clients of one server must retry. They would wait for more than a second. */
  queueLimit: 256,
  totalLimit: 2_048,
  retries: false,
}

/** Opens a pool of threads, by default one per processor. The first tasks start them, at most one per processor at once. */
export function openThreadPool<Task, Result>({
  program,
  data = null,
  limits = {},
  ...options
}: ThreadPoolOptions): WorkerPool<Task, Result> {
  const processors = availableParallelism()
  const open = (listener: Listener) => openThread({ program, data, limits }, listener)
  return new WorkerPool<Task, Result>({ ...DEFAULTS, workers: processors, startsAtOnce: processors, ...options, open })
}

function openThread({ program, data, limits }: Required<ThreadOptions>, { onMessage, onEnd }: Listener): Transport {
  const claims = newClaims()
  const worker = new Worker(program, {
    workerData: data,
    env: threadEnvironment(),
    execArgv: [],
    resourceLimits: limits,
  })
  worker.unref()
  worker.on('message', (message: FromWorker) => onMessage(message))
  worker.on('error', (cause) => {
    const isMemory = 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
    onEnd(new PoolError(isMemory ? 'memory' : 'ended', { cause }))
  })
  worker.on('exit', (code) => onEnd(new PoolError('ended', { cause: new Error(`A thread ended with ${code}.`) })))
  const post = (message: ToWorker) => worker.postMessage(message)
  post({ type: 'claims', claims })
  return {
    startsReady: false,
    post,
    offer: (id) => offer(claims, id),
    takeBack: (id) => claim(claims, id),
    setBusy: () => undefined,
    cpuMs: () => null,
    end: () => worker.terminate(),
  }
}
