import { flushCompileCache, getCompileCacheDir } from 'node:module'
import { getPriority, setPriority } from 'node:os'
import { dropPermission } from './drop-permission.ts'
import { endWithParent } from './end-with-parent.ts'
import { lockDown } from './lock-down.ts'

/**
 * Niceness, of 20 steps below normal. On a fully loaded machine, processes at normal priority still get about nine
 * tenths of the processor.
 */
const BACKGROUND = 10

/**
 * Answers tasks from the opening process (`openApartProcess`) one at a time, at lower priority than the service.
 * `answer` must not throw. Before the first task the process drops unneeded capabilities (`lockDown`).
 */
export function serveApart(answer: (task: never) => unknown): void {
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
