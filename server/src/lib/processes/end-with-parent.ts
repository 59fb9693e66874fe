import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { dropPermission } from './drop-permission.ts'

/**
 * Checks once a second whether the parent process changed, which happens when the parent ends. Runs in a thread, since
 * a document can block the main thread. Costs 0.2 % of a processor and 18 MB.
 */
const WATCH = `
const { workerData: parent } = require('node:worker_threads')
setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL') }, 1000)`
/** Thread limits in megabytes: slightly above the start size. */
const LIMITS = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 }

/**
 * Ends this process with its parent, if a thread is permitted for that, which is the case without a shell (`hasShell`).
 * Resolves when the watch is active. No other thread can start after that.
 */
export async function endWithParent(): Promise<void> {
  if (!process.permission?.has('worker')) return
  const watch = new Worker(WATCH, { eval: true, env: {}, workerData: process.ppid, resourceLimits: LIMITS })
  await once(watch, 'online')
  watch.unref()
  dropPermission('worker')
}
