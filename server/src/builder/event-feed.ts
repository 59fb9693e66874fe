/** Events of one run, for followers that may come late and leave early. Each gets all events from the first on. */
export class EventFeed<E> {
  readonly #events: E[] = []
  readonly #waiting = new Set<() => void>()
  #isOver = false

  add(event: E): void {
    this.#events.push(event)
    this.#wake()
  }

  end(): void {
    this.#isOver = true
    this.#wake()
  }

  async *follow(): AsyncGenerator<E> {
    for (let at = 0; ; at++) {
      while (at >= this.#events.length) {
        if (this.#isOver) return
        await new Promise<void>((resolve) => this.#waiting.add(resolve))
      }
      const event = this.#events[at]
      if (event !== undefined) yield event
    }
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve()
    this.#waiting.clear()
  }
}
