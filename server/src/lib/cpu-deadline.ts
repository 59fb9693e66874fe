/** What ends when its time is up. `cpuMs` is the processor time it has used, or null where the system does not tell. */
type Timed = { cpuMs: () => number | null }

export type CpuDeadline = {
  /** Milliseconds of processor time from now on. */
  limitMs: number
  /** Called once: `timeout` when the time was used, `busy` when the process did not get it within a multiple of it. */
  onOver: (why: 'timeout' | 'busy') => void
}

/** On a busy machine a process of low priority gets about a tenth of a processor. Waiting any longer would look like hanging. */
const WALL_FACTOR = 6
const LEAST_WALL_MS = 30_000
/** The system counts in steps of 10 ms. */
const LEAST_WAIT_MS = 20

/**
 * Limits the processor time of a process, so that a document is not judged by what else the machine does. Where the
 * system does not tell it, as on other systems than Linux, elapsed time is limited instead. Returns what stops it.
 */
export function startCpuDeadline(timed: Timed, { limitMs, onOver }: CpuDeadline): () => void {
  const began = performance.now()
  const usedBefore = timed.cpuMs()
  const wallMs = Math.max(limitMs * WALL_FACTOR, LEAST_WALL_MS)
  const look = () => {
    const used = timed.cpuMs()
    const elapsed = performance.now() - began
    const spent = used === null || usedBefore === null ? elapsed : used - usedBefore
    if (spent >= limitMs) onOver('timeout')
    else if (elapsed >= wallMs) onOver('busy')
    else timer = setTimeout(look, Math.max(LEAST_WAIT_MS, Math.min(limitMs - spent, wallMs - elapsed)))
  }
  let timer = setTimeout(look, limitMs)
  return () => clearTimeout(timer)
}
