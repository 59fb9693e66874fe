import { createByteBudget } from '#lib/byte-budget.ts'

/** A share of the memory, for one process. */
export type MemoryShare = {
  /** As many megabytes as were asked for, or all that there are where that is less. */
  readonly mb: number
  release(): void
}

type Wish = {
  signal: AbortSignal
  /** Called when somebody waits for memory, while the share is held: who has nothing to do with it gives it back. */
  onWanted?: () => void
}

/**
 * Memory for the processes that read documents as wholes (PDFs, descriptions of APIs, archives, repositories), and for the additional one
 * of the page pool. A process gets its share before it is started, and takes no more: documents wait for each other.
 */
export type ReaderMemory = {
  readonly totalMb: number
  /** Waits for so many megabytes, in order of requests. Rejects with the signal's reason. */
  reserve(mb: number, wish: Wish): Promise<MemoryShare>
  /** The same, or null where there are not as many now. */
  tryReserve(mb: number): MemoryShare | null
}

/** Shares `totalMb` megabytes. */
export function createReaderMemory(totalMb: number): ReaderMemory {
  const never = () => new Error('Waiting for memory has no end of its own.')
  const budget = createByteBudget({ totalBytes: totalMb, waitMs: Number.POSITIVE_INFINITY, onWait: never })
  const holders = new Set<() => void>()
  return {
    totalMb,
    async reserve(wanted, { signal, onWanted }) {
      const mb = Math.min(wanted, totalMb)
      const held = budget.open()
      const waiting = held.take(mb, signal)
      if (budget.waiting > 0) for (const onOther of holders) onOther()
      await waiting
      if (onWanted) holders.add(onWanted)
      // Somebody may have come while this one was waiting.
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
