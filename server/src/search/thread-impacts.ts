import type { ImpactStore } from './rank/impact-cache.ts'
import { openImpacts, shareImpacts, type SharedImpacts, type TermImpacts } from './rank/term-impacts.ts'

/** Sends impacts made by this thread, and the keys used since the last report. */
type Tell = {
  made(key: string, impacts: SharedImpacts, segments: readonly string[]): void
  used(keys: string[]): void
}

/** Keys per report of use: several dozen searches. */
const USED_AT_ONCE = 512

/** One thread's view of the shared impacts (see `SharedIndex`). Keeps them until `forget`. */
export class ThreadImpacts implements ImpactStore {
  readonly #tell: Tell
  readonly #known = new Map<string, TermImpacts>()
  readonly #used = new Set<string>()

  constructor(tell: Tell) {
    this.#tell = tell
  }

  get(key: string): TermImpacts | undefined {
    const impacts = this.#known.get(key)
    if (impacts === undefined) return undefined
    this.#used.add(key)
    if (this.#used.size >= USED_AT_ONCE) {
      this.#tell.used([...this.#used])
      this.#used.clear()
    }
    return impacts
  }

  set(key: string, impacts: TermImpacts, _bytes: number, segments: readonly string[]): void {
    this.#known.set(key, impacts)
    const shared = shareImpacts(impacts)
    if (shared !== null) this.#tell.made(key, shared, segments)
  }

  /** Adds impacts made by another thread. */
  take(key: string, impacts: SharedImpacts): void {
    this.#known.set(key, openImpacts(impacts))
  }

  forget(keys: readonly string[]): void {
    for (const key of keys) this.#known.delete(key)
  }
}
