import type { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { endKeptChildren } from './kept-children.ts'

/**
 * Sends a signal to the next `times` processes that run `program`, each as soon as it has started: a moment later, it may
 * have done its work while this process waited for a processor. Their ids are in `pids`.
 */
export function killStarted(program: string, signal: NodeJS.Signals, times: number) {
  const killed = { processes: 0, pids: [] as number[], [Symbol.dispose]: () => unsubscribe('child_process', onStart) }
  const onStart = (message: unknown) => {
    const { process: child } = message as { process: ChildProcess }
    // The notification comes before the process has its program and arguments.
    queueMicrotask(() => {
      if (killed.processes >= times || !child.spawnargs.some((word) => word.includes(program))) return
      killed.processes++
      if (child.pid !== undefined && child.kill(signal)) killed.pids.push(child.pid)
    })
  }
  endKeptChildren()
  subscribe('child_process', onStart)
  return killed
}
