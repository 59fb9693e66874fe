import { basename } from 'node:path'
import { type TaskProcess, type TaskProcessOptions, openChildProcess as open } from '#workers/child-process.ts'

export { ProcessExit } from '#workers/child-process.ts'

/** Programs that keep nothing of a task, so that the next service of this process can go on with their processes. */
const KEPT: ReadonlySet<string> = new Set(['page-worker.mjs', 'build-worker.mjs'])
/** Services that one process serves. Its memory grows slowly, and is limited. */
const MOST_SERVICES = 20

type Owner = Pick<TaskProcessOptions<unknown>, 'onAnswer' | 'onEnd'>
type Kept = { process: TaskProcess<unknown>; owner: Owner | null; unanswered: number; services: number }

const idle = new Map<string, Kept[]>()

/**
 * Stands for `openChildProcess` below the pools of tests. A process takes as much processor time to start as a service
 * and most of a test: when a pool ends an idle process, it is kept for the next pool.
 */
export function openChildProcess<Task, Answer>(options: TaskProcessOptions<Answer>): TaskProcess<Task> {
  const { program, heapMb, memoryMb } = options
  if (!KEPT.has(basename(program.pathname))) return open(options)
  const free = idleOf(`${program.href} ${heapMb} ${memoryMb}`)
  const kept = free.pop() ?? start(options, free)
  kept.owner = options as Owner
  kept.services++
  const { process } = kept
  return {
    post(task, payload) {
      kept.unanswered++
      process.post(task, payload)
    },
    setBusy: (busy) => process.setBusy(busy),
    cpuMs: () => process.cpuMs(),
    async end() {
      if (kept.owner === null) return
      kept.owner = null
      if (kept.unanswered > 0 || kept.services >= MOST_SERVICES) return process.end()
      process.setBusy(false)
      free.push(kept)
    },
  }
}

function start(options: TaskProcessOptions<never>, free: Kept[]): Kept {
  const kept: Kept = {
    process: open<unknown, unknown>({
      ...options,
      onAnswer(answer) {
        kept.unanswered--
        kept.owner?.onAnswer(answer)
      },
      onEnd(why) {
        if (free.includes(kept)) free.splice(free.indexOf(kept), 1)
        kept.owner?.onEnd(why)
      },
    }),
    owner: null,
    unanswered: 0,
    services: 0,
  }
  return kept
}

function idleOf(key: string): Kept[] {
  const known = idle.get(key) ?? []
  idle.set(key, known)
  return known
}

/** Ends the idle processes, so that the next pool starts its own. */
export function endKeptChildren(): void {
  for (const free of idle.values()) for (const { process } of free.splice(0)) void process.end()
}
