import { databaseTime } from '#store/engine/statements.ts'
import { StoreUnavailableError } from '#store/engine/outages.ts'
import { dueDeliveries } from '#store/webhooks/deliveries.ts'
import { type DeliverDeps, deliverOnce } from './deliver.ts'

type Deps = DeliverDeps & { onError: (error: unknown) => void }

/** Interval at which due deliveries are looked for. The query reads one entry of an index. */
const LOOK_EVERY_MS = 1_000
/** Concurrent attempts of a node, which mostly wait: one per webhook, and an account has at most ten. */
const AT_ONCE = 128

/** Sends due deliveries until it is disposed of. A webhook gets one at a time from each node, in order. */
export class Deliverer implements AsyncDisposable {
  readonly #deps: Deps
  /** Attempts under way, by webhook. */
  readonly #running = new Map<string, Promise<void>>()
  readonly #stopping = new AbortController()
  readonly #timer: NodeJS.Timeout
  #looking: Promise<void> | null = null

  constructor(deps: Deps) {
    this.#deps = deps
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS).unref()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    this.#stopping.abort()
    await this.#looking
    await Promise.all(this.#running.values())
  }

  #look(): void {
    if (this.#looking || this.#stopping.signal.aborted) return
    this.#looking = this.#startDue()
      .catch((error: unknown) => this.#report(error))
      .finally(() => {
        this.#looking = null
      })
  }

  async #startDue(): Promise<void> {
    const { read } = this.#deps.store
    while (this.#running.size < AT_ONCE && !this.#stopping.signal.aborted) {
      const due = await dueDeliveries(read, databaseTime(read), [...this.#running.keys()])
      for (const one of due) this.#start(one)
      if (due.length === 0) return
    }
  }

  #start({ id, webhookId }: { id: string; webhookId: string }): void {
    if (this.#running.has(webhookId) || this.#running.size >= AT_ONCE) return
    const done = deliverOnce(this.#deps, id, this.#stopping.signal)
      .then(
        () => {},
        (error: unknown) => this.#report(error),
      )
      .finally(() => {
        this.#running.delete(webhookId)
        this.#look()
      })
    this.#running.set(webhookId, done)
  }

  /** During an outage of the database, deliveries wait. */
  #report(error: unknown): void {
    if (!(error instanceof StoreUnavailableError)) this.#deps.onError(error)
  }
}
