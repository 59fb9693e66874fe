import type { DictionaryEntry } from './dictionary.ts'

/** Knows of an open segment which postings, by term, have been read, and which are needed. */
export class PartialPostings {
  /** Id of the segment. */
  readonly id: string
  readonly #present = new Set<number>()
  readonly #missing = new Map<number, DictionaryEntry>()
  /** False while only the sections before `GROUPS` (layout.ts) are there. */
  #isRead = false

  constructor(id: string) {
    this.id = id
  }

  /** True if the postings of a term are there. Notes it if not. */
  has(entry: DictionaryEntry): boolean {
    if (this.#present.has(entry.id)) return true
    this.#missing.set(entry.id, entry)
    return false
  }

  get isReady(): boolean {
    return this.#isRead && this.#missing.size === 0
  }

  /** Returns the terms noted since the last call. */
  takeMissing(): DictionaryEntry[] {
    const missing = [...this.#missing.values()]
    this.#missing.clear()
    return missing
  }

  add(entries: readonly DictionaryEntry[]): void {
    this.#isRead = true
    for (const { id } of entries) this.#present.add(id)
  }
}
