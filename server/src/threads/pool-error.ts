/**
 * Why a pool did not finish a task. `busy`: too many tasks of its queue are waiting; `deadline`: it ran for too long;
 * `memory`: its thread ran out of memory; `ended`: its thread died, or the pool was closed.
 */
export class PoolError extends Error {
  override name = 'PoolError'
  readonly reason: 'busy' | 'deadline' | 'memory' | 'ended'

  constructor(reason: PoolError['reason'], options: ErrorOptions = {}) {
    super(MESSAGES[reason], options)
    this.reason = reason
  }
}

const MESSAGES: Record<PoolError['reason'], string> = {
  busy: 'Too many tasks are waiting.',
  deadline: 'The task ran for too long and was ended.',
  memory: 'The task took too much memory and was ended.',
  ended: 'The thread of the task ended.',
}
