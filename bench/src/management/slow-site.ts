import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

export type SlowSite = AsyncDisposable & {
  url: string
  /** Stops answering: requests hang. */
  hold(): void
}

/** An endless site in a separate thread whose pages link to further ones, with a latency. */
export async function startSlowSite(latencyMs: number): Promise<SlowSite> {
  const worker = new Worker(new URL('./slow-site-worker.ts', import.meta.url), { workerData: { latencyMs } })
  const [port] = (await once(worker, 'message')) as [number]
  return {
    url: `http://127.0.0.1:${port}/`,
    hold: () => worker.postMessage('hold'),
    async [Symbol.asyncDispose]() {
      await worker.terminate()
    },
  }
}
