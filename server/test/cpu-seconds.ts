/**
 * Seconds of the processor that this thread spends on `work`. Tests of what a hostile input costs hold these to a bound,
 * far below what a square of its length would take; the clock would also count what else the machine is doing.
 */
export function cpuSeconds(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1e6
}
