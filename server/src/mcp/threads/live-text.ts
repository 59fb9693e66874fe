/** A text that grows, and how often it has grown. */
export type Written = { text: string; writes: number }

export type LiveText = {
  write(text: string): void
  end(): void
  /** Waits until the text has grown more than `writes` times, and returns it. Null if it has ended. */
  after(writes: number): Promise<Written | null>
}

/** Passes a growing text from a writer to a reader that asks for it. Writes that nobody waits for are joined. */
export function openLiveText(): LiveText {
  let text = ''
  let writes = 0
  let isOver = false
  let news = Promise.withResolvers<void>()
  return {
    write(longer) {
      text = longer
      writes++
      news.resolve()
      news = Promise.withResolvers()
    },
    end() {
      isOver = true
      news.resolve()
    },
    async after(seen) {
      for (;;) {
        if (isOver) return null
        if (writes > seen) return { text, writes }
        await news.promise
      }
    },
  }
}
