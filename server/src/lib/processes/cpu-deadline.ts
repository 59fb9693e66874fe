/** The limited process. `cpuMs` is the processor time used, or null if the system does not report it. */
type Timed = { cpuMs: () => number | null }

export type CpuDeadline = {
  /** Milliseconds of processor time from now. */
  limitMs: number
  /** Called once: `timeout` if the time was used up, `busy` if the process did not get it within a multiple of it. */
  onOver: (why: 'timeout' | 'busy') => void
}

/** On a busy machine a low-priority process gets about a tenth of a processor. A longer wait would look like a hang. */
const WALL_FACTOR = 6
const LEAST_WALL_MS = 30_000
/** The system's resolution is 10 ms. */
const LEAST_WAIT_MS = 20

/**
 * Limits the processor time of a process, so that other load on the machine does not fail a document. Limits elapsed
 * time instead if the system does not report processor time (outside Linux). Returns a function that stops the
 * deadline.
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
