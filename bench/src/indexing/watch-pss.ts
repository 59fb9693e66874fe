import { once } from 'node:events'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { pssMb } from '#service/read-process.ts'

const LOOK_EVERY_MS = 250

/**
 * Samples the proportional memory (PSS) of a process and its children in a thread of its own. Reading it takes up to
 * 45 ms, which would count as latency of the requests that the main thread measures.
 */
export function watchPss(pid: number): { stop: () => Promise<number> } {
  const worker = new Worker(new URL(import.meta.url), { workerData: { pid } })
  return {
    /** Ends the sampling. Resolves to the peak in megabytes. */
    stop: async () => {
      const answer = once(worker, 'message') as Promise<[number]>
      worker.postMessage('stop')
      const [peak] = await answer
      await worker.terminate()
      return peak
    },
  }
}

if (!isMainThread) {
  const { pid } = workerData as { pid: number }
  let peak = 0
  const look = () => {
    peak = Math.max(peak, pssMb(pid))
  }
  setInterval(look, LOOK_EVERY_MS)
  parentPort?.on('message', () => {
    look()
    parentPort?.postMessage(peak)
  })
}
