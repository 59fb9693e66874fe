import type { Output } from '@docent/sdk'
import { call } from '../api/call.ts'
import { reportLost } from '../api/connection.ts'

export type Progress = Output<'servers.progress'> & { serverId: string }

type Event = Output<'events.watch'>
/** Messages between tabs: an event, a new tab's request for the whole state, or that the stream broke. */
type Message = { event: Event } | { ask: 'state' } | { lost: true }

const POLL_MS = 3_000
/** Without a stream, screens look for new calls after this many polls. */
const POLLS_PER_CALL = 5

/**
 * Progress and calls of all servers, as the service reports them. One tab of a browser holds the stream and passes its
 * events to the others. Without locks (plain HTTP in a network) each tab has a stream; without a stream, it asks every
 * few seconds.
 */
export class Live {
  readonly #progress = new Map<string, Progress>()
  readonly #listeners = new Set<() => void>()
  readonly #callListeners = new Set<(serverId: string) => void>()
  readonly #ended = new AbortController()
  readonly #channel = new BroadcastChannel('docent-events')
  #isLeader = false

  start(): void {
    this.#channel.addEventListener('message', ({ data }: MessageEvent<Message>) => this.#hear(data))
    this.#channel.postMessage({ ask: 'state' } satisfies Message)
    const lead = () => this.#lead()
    const { signal } = this.#ended
    if (!('locks' in navigator)) void lead()
    else navigator.locks.request('docent-events', { signal }, lead).catch(ignoreAbort)
  }

  stop(): void {
    this.#ended.abort()
    this.#channel.close()
    this.#listeners.clear()
    this.#callListeners.clear()
  }

  of(serverId: string): Progress | undefined {
    return this.#progress.get(serverId)
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Announces servers with new calls in their request log. */
  onCall(listener: (serverId: string) => void): () => void {
    this.#callListeners.add(listener)
    return () => this.#callListeners.delete(listener)
  }

  /** Holds the stream until the tab is closed. */
  async #lead(): Promise<void> {
    this.#isLeader = true
    const { signal } = this.#ended
    const stream = new EventSource('/api/events')
    const receive = ({ data }: MessageEvent<string>) => this.#receive(JSON.parse(data) as Event)
    for (const type of ['progress', 'called', 'removed'] satisfies Event['type'][])
      stream.addEventListener(type, receive)
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve())
      // The browser opens a broken stream again by itself, but gives up after a refusal.
      stream.addEventListener('error', () => {
        reportLost()
        this.#channel.postMessage({ lost: true } satisfies Message)
        if (stream.readyState === EventSource.CLOSED) void this.#poll().then(resolve)
      })
    })
    stream.close()
  }

  async #poll(): Promise<void> {
    const { signal } = this.#ended
    for (let polls = 1; !signal.aborted; polls++) {
      const known = [...this.#progress.keys()]
      const answers = await Promise.allSettled(known.map((id) => call('servers.progress', { id }, { signal })))
      answers.forEach((answer, index) => {
        const serverId = known[index] ?? ''
        if (answer.status === 'fulfilled') this.#receive({ type: 'progress', serverId, ...answer.value })
      })
      if (polls % POLLS_PER_CALL === 0) {
        const at = new Date().toISOString()
        for (const serverId of known) this.#receive({ type: 'called', serverId, at })
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }

  #hear(message: Message): void {
    if ('event' in message) return this.#apply(message.event)
    if ('lost' in message) return reportLost()
    if (!this.#isLeader) return
    for (const progress of this.#progress.values()) {
      this.#channel.postMessage({ event: { type: 'progress', ...progress } } satisfies Message)
    }
  }

  #receive(event: Event): void {
    this.#channel.postMessage({ event } satisfies Message)
    this.#apply(event)
  }

  #apply(event: Event): void {
    if (event.type === 'heartbeat') return
    if (event.type === 'called') {
      for (const listener of this.#callListeners) listener(event.serverId)
      return
    }
    if (event.type === 'removed') this.#progress.delete(event.serverId)
    else this.#progress.set(event.serverId, event)
    for (const listener of this.#listeners) listener()
  }
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof DOMException && error.name === 'AbortError')) throw error
}
