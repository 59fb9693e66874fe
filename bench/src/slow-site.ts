import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

export type SlowSite = AsyncDisposable & {
  url: string
  /** Answers nothing any more: whoever asks waits. */
  hold(): void
}

/** A site without end, in which every page leads to others, in a thread of its own; it takes its time to answer. */
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
