import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { QUEUE_CHANNEL } from '#store/migrations/later.ts'
import { unref } from './hang-detector.ts'
import { type QueueChanges, createQueueChanges } from './queue-changes.ts'

/** Interval of the proof that notifications arrive, and longest wait for it. */
const PROVE_MS = 15_000
const ANSWER_MS = 2_000

/**
 * Hears of changes of the queue on a connection, which opens with the first listener. A notification to itself proves
 * that it works: a pooler in transaction mode accepts `listen` and passes nothing on, and a firewall can forget the
 * connection. Without the proof, callers poll.
 */
export function listenToQueue(connection: pg.ClientConfig, notify: (payload: string) => Promise<unknown>) {
  const stopping = new AbortController()
  let isHeard = false
  let listening: Promise<void> | null = null
  const changes = createQueueChanges({ isHeard: () => isHeard })
  const pause = () => sleep(PROVE_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => {})

  const listen = async (client: pg.Client) => {
    const own = randomUUID()
    let onProof = (_: boolean) => {}
    client.on('error', () => {
      isHeard = false
      onProof(false)
      // Callers poll from now on.
      changes.changed()
    })
    client.on('notification', ({ payload }) => (payload === own ? onProof(true) : changes.changed()))
    await client.connect()
    await client.query(`listen ${QUEUE_CHANNEL}`)
    do {
      const proof = new Promise<boolean>((resolve) => (onProof = resolve))
      await notify(own)
      const wasHeard = isHeard
      isHeard = await Promise.race([proof, sleep(ANSWER_MS, false, { ref: false })])
      // Whatever came before this moment was not heard.
      if (!wasHeard) changes.changed()
      if (isHeard) await pause()
    } while (isHeard && !stopping.signal.aborted)
  }

  const run = async () => {
    while (!stopping.signal.aborted) {
      const client = new pg.Client({ ...connection, connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS })
      // The pool reports an outage. Until it is over, callers poll.
      await listen(client).catch(() => {})
      isHeard = false
      void client.end().catch(() => {})
      unref(client)
      await pause()
    }
  }
  return {
    ...changes,
    on(listener: () => void) {
      listening ??= run()
      return changes.on(listener)
    },
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await listening
    },
  } satisfies QueueChanges & AsyncDisposable
}
