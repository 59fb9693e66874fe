import { flushCompileCache, getCompileCacheDir } from 'node:module'
import { getPriority, setPriority } from 'node:os'
import { dropPermission } from './drop-permission.ts'
import { endWithParent } from './end-with-parent.ts'
import { lockDown } from './lock-down.ts'

/** Of the 20 steps below normal. With every processor busy, processes at normal priority get some nine tenths of it. */
const BACKGROUND = 10

/**
 * Answers the tasks that the process is given by who opened it (`openApartProcess`), one after the other, with a lower
 * priority than the service has. `answer` must not throw. Before the first task the process gives up what it needs for none
 * (`lockDown`).
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

/** A service that was started with an even lower priority has handed that on, and the system refuses to raise it. */
function yieldToService(): void {
  if (getPriority() < BACKGROUND) setPriority(BACKGROUND)
}

/** What it has compiled to get here is kept for those after it; then it writes nothing any more. */
function keepCompiledCode(): void {
  if (getCompileCacheDir() === undefined || process.permission === undefined) return
  flushCompileCache()
  dropPermission('fs.write')
}
