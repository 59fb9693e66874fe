import { flushCompileCache, getCompileCacheDir } from 'node:module'
import { getPriority, setPriority } from 'node:os'
import { dropPermission } from './drop-permission.ts'
import { lockDown } from './lock-down.ts'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/**
 * Niceness, of 20 steps below normal. On a fully loaded machine, processes at normal priority still get about nine
 * tenths of the processor.
 */
const BACKGROUND = 10

/**
 * Answers tasks from the opening process (`openChildProcess`) one at a time, at lower priority than the service.
 * `answer` must not throw. Before the first task the process drops unneeded capabilities (`lockDown`).
 */
export function serveChild(answer: (task: never) => unknown): void {
  yieldToService()
  keepCompiledCode()
  let turn = endWithParent().then(lockDown)
  process.on('message', (task) => {
    turn = turn.then(async () => {
      const given = await answer(task as never)
      await new Promise((sent) => process.send?.(given, sent))
    })
  })
}

/** The service already runs at a lower priority, which the child inherits. The system refuses to raise it. */
function yieldToService(): void {
  if (getPriority() < BACKGROUND) setPriority(BACKGROUND)
}

/** Stores the compile cache for later processes, then drops the write permission. */
function keepCompiledCode(): void {
  if (getCompileCacheDir() === undefined || process.permission === undefined) return
  flushCompileCache()
  dropPermission('fs.write')
}

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
async function endWithParent(): Promise<void> {
  if (!process.permission?.has('worker')) return
  const watch = new Worker(WATCH, { eval: true, env: {}, workerData: process.ppid, resourceLimits: LIMITS })
  await once(watch, 'online')
  watch.unref()
  dropPermission('worker')
}
