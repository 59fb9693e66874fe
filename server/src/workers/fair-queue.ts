/** Queue and used time of one owner. */
export type Share<Job> = {
  readonly waiting: Job[]
  /** Jobs running, or about to run. */
  inHand: number
  /** Milliseconds used by its jobs, plus the credit for idle time. */
  spentMs: number
  /** True while the share has jobs. */
  isActive: boolean
  /** True if its jobs come before those of other shares. */
  isUrgent: boolean
}

export function newShare<Job>(): Share<Job> {
  return { waiting: [], inHand: 0, spentMs: 0, isActive: false, isUrgent: false }
}

/** Start-time fair queueing (Goyal, Vin and Cheng, SIGCOMM 1996): the share with the least used time is next. */
export class FairShares<Job> {
  /** An array, because shares are added and removed on every request (see `RecordMap`). */
  readonly #active: Share<Job>[] = []

  push(share: Share<Job>, job: Job): void {
    if (!share.isActive) {
      const least = Math.min(...this.#active.map(({ spentMs }) => spentMs))
      if (Number.isFinite(least)) share.spentMs = Math.max(share.spentMs, least)
      share.isActive = true
      this.#active.push(share)
    }
    share.waiting.push(job)
  }

  /** Shares with waiting jobs, next one first. `running` returns how long a share's current jobs have run. */
  inOrder(running: (share: Share<Job>) => number): Share<Job>[] {
    const waiting = this.#active.filter((share) => share.waiting.length > 0)
    if (waiting.length < 2) return waiting
    const had = waiting.map((share) => ({ share, ms: share.isUrgent ? -1 : share.spentMs + running(share) }))
    return had.toSorted((a, b) => a.ms - b.ms).map(({ share }) => share)
  }

  get waiting(): number {
    return this.#active.reduce((count, { waiting }) => count + waiting.length, 0)
  }

  jobs(): Job[] {
    return this.#active.flatMap(({ waiting }) => waiting)
  }

  take(share: Share<Job>): Job | undefined {
    const job = share.waiting.shift()
    if (job !== undefined) share.inHand++
    return job
  }

  /** Ends a job that was taken, with the time it used. */
  release(share: Share<Job>, spentMs: number): void {
    share.inHand--
    share.spentMs += spentMs
    this.#settle(share)
  }

  /** Returns a taken job to the head of its share's queue. */
  putBack(share: Share<Job>, job: Job): void {
    share.inHand--
    share.waiting.unshift(job)
  }

  remove(share: Share<Job>, at: number): void {
    share.waiting.splice(at, 1)
    this.#settle(share)
  }

  /** Removes a share without jobs. It returns from idle time without debt. */
  #settle(share: Share<Job>): void {
    if (!share.isActive || share.inHand > 0 || share.waiting.length > 0) return
    share.isActive = false
    share.spentMs = 0
    this.#active.splice(this.#active.indexOf(share), 1)
  }

  /** Removes all shares, and returns their waiting jobs. */
  clear(): Job[] {
    for (const share of this.#active) share.isActive = false
    return this.#active.splice(0).flatMap(({ waiting }) => waiting.splice(0))
  }
}
