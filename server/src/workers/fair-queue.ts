/** What one owner of jobs waits for, and what it has had. */
export type Share<Job> = {
  readonly waiting: Job[]
  /** Being worked on, or about to be. */
  inHand: number
  /** Milliseconds that its jobs have taken, and what it was credited with for the time that it wanted nothing. */
  spentMs: number
  /** Wants something now. */
  isActive: boolean
}

export function newShare<Job>(): Share<Job> {
  return { waiting: [], inHand: 0, spentMs: 0, isActive: false }
}

/**
 * Shares that want something. The next job is one of whoever has had the least time, so that of several each gets as
 * much, however long its jobs take; who comes later begins where the others are, and cannot make up for its absence
 * (start-time fair queueing: Goyal, Vin and Cheng, SIGCOMM 1996).
 */
export class FairShares<Job> {
  /** An array, since shares come and go with every request (see `RecordMap`). */
  readonly #active: Share<Job>[] = []

  /** Puts a job in its share's line. */
  push(share: Share<Job>, job: Job): void {
    if (!share.isActive) {
      let least = Infinity
      for (const { spentMs } of this.#active) least = Math.min(least, spentMs)
      if (Number.isFinite(least)) share.spentMs = Math.max(share.spentMs, least)
      share.isActive = true
      this.#active.push(share)
    }
    share.waiting.push(job)
  }

  /** Shares with waiting jobs, whoever is next first. `running` says how long one's jobs in hand have taken so far. */
  inOrder(running: (share: Share<Job>) => number): Share<Job>[] {
    const waiting = this.#active.filter((share) => share.waiting.length > 0)
    if (waiting.length < 2) return waiting
    const had = waiting.map((share) => ({ share, ms: share.spentMs + running(share) }))
    return had.toSorted((a, b) => a.ms - b.ms).map(({ share }) => share)
  }

  /** Jobs that wait. */
  get waiting(): number {
    let count = 0
    for (const { waiting } of this.#active) count += waiting.length
    return count
  }

  /** The job that is next in a share, into the hands of whoever does it. */
  take(share: Share<Job>): Job | undefined {
    const job = share.waiting.shift()
    if (job !== undefined) share.inHand++
    return job
  }

  /** Notes that a job is not in hand any more, after so much time. */
  release(share: Share<Job>, spentMs: number): void {
    share.inHand--
    share.spentMs += spentMs
    this.settle(share)
  }

  /** Puts a job that was taken back to the head of its share's line. */
  putBack(share: Share<Job>, job: Job): void {
    share.inHand--
    share.waiting.unshift(job)
  }

  /** Forgets a share that wants nothing any more. */
  settle(share: Share<Job>): void {
    if (!share.isActive || share.inHand > 0 || share.waiting.length > 0) return
    share.isActive = false
    this.#active.splice(this.#active.indexOf(share), 1)
  }

  /** Forgets all shares, and returns what they waited for. */
  clear(): Job[] {
    for (const share of this.#active) share.isActive = false
    return this.#active.splice(0).flatMap(({ waiting }) => waiting.splice(0))
  }
}
