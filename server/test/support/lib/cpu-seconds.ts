/**
 * CPU seconds of this thread during `work`. Tests bound the cost of hostile input with it, far below quadratic time.
 * Wall time would also count other load of the machine.
 */
export function cpuSeconds(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1e6
}
