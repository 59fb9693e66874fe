import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { dropPermission } from './drop-permission.ts'

/**
 * Looks once a second whether somebody else has become the parent, as the system arranges when a parent is gone. In a
 * thread, since the rest of the process may be busy with a document; 0.2 % of a processor, and 18 MB.
 */
const WATCH = `
const { workerData: parent } = require('node:worker_threads')
setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL') }, 1000)`
/** Megabytes: what such a thread starts with, and little more. */
const LIMITS = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 }

/**
 * Sees to it that this process ends with its parent, where it was allowed a thread for that, as it is where nothing else
 * could (`hasShell`). Resolves when it is watched; no further thread can be started from then on.
 */
export async function endWithParent(): Promise<void> {
  if (!process.permission?.has('worker')) return
  const watch = new Worker(WATCH, { eval: true, env: {}, workerData: process.ppid, resourceLimits: LIMITS })
  await once(watch, 'online')
  watch.unref()
  dropPermission('worker')
}
