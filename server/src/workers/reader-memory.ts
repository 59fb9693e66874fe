import { createByteBudget } from '#lib/limits/byte-budget.ts'

/** A grant of memory for one process. */
export type MemoryShare = {
  /** Granted megabytes: as requested, but at most the total. */
  readonly mb: number
  release(): void
}

type Wish = {
  signal: AbortSignal
  /** Called while the grant is held and others wait, so that an idle holder can release it. */
  onWanted?: () => void
}

/** Memory for processes that read whole documents, and the extra one of the page pool. Each waits for its grant. */
export type ReaderMemory = {
  readonly totalMb: number
  /** A folder that these processes do not see where the system can hide it. */
  readonly hides: string
  /** Waits for `mb` megabytes, in FIFO order. Rejects with the signal's reason. */
  reserve(mb: number, wish: Wish): Promise<MemoryShare>
  /** Reserves memory at once, or returns null if too little is free. */
  tryReserve(mb: number): MemoryShare | null
}

/** Distributes `totalMb` megabytes. */
export function createReaderMemory(totalMb: number, hides = ''): ReaderMemory {
  const never = () => new Error('Waiting for memory has no end of its own.')
  const budget = createByteBudget({ totalBytes: totalMb, waitMs: Number.POSITIVE_INFINITY, onWait: never })
  const holders = new Set<() => void>()
  return {
    totalMb,
    hides,
    async reserve(wanted, { signal, onWanted }) {
      const mb = Math.min(wanted, totalMb)
      const held = budget.open()
      const waiting = held.take(mb, signal)
      if (budget.waiting > 0) for (const onOther of holders) onOther()
      await waiting
      if (onWanted) holders.add(onWanted)
      // Others may have queued up meanwhile.
      if (budget.waiting > 0) onWanted?.()
      return {
        mb,
        release() {
          if (onWanted) holders.delete(onWanted)
          held.keep(0)
        },
      }
    },
    tryReserve(mb) {
      const held = budget.open()
      return mb <= totalMb && held.tryTake(mb) ? { mb, release: () => held.keep(0) } : null
    },
  }
}
