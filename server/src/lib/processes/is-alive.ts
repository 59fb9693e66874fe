/** True if a process with this id exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // A process of another user exists, but takes no signals.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
