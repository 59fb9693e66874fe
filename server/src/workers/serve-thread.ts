import { parentPort } from 'node:worker_threads'

/** A task in the thread that runs it. */
export type ThreadCall = {
  /** Sends a request to the main thread. Rejects with the main thread's refusal. Values are structured clones. */
  ask(method: string, ...args: unknown[]): Promise<unknown>
  /** Aborts when nobody waits for the result. */
  signal: AbortSignal
}

type Program<Task> = {
  run(task: Task, call: ThreadCall): Promise<unknown>
  /** Called with each message of the pool to all threads. */
  onNote(note: never): void
}

type Open = { id: number; controller: AbortController; asks: Map<number, PromiseWithResolvers<unknown>> }

/** Messages from a worker to its pool. Child processes send `done` and `failed` only. */
export type FromWorker =
  | { type: 'ready' }
  | { type: 'done'; id: number; value: unknown }
  | { type: 'failed'; id: number; error: unknown }
  | { type: 'ask'; id: number; ask: number; method: string; args: unknown[] }
  | { type: 'note'; note: unknown }

/** Offers a busy thread its next task: a sixth more searches. It belongs to whoever first replaces its id by 0. */
export type Claims = Int32Array<SharedArrayBuffer>

/** Messages from a pool to one of its workers. Child processes get `task` and `next` only. */
export type ToWorker =
  | { type: 'claims'; claims: Claims }
  | { type: 'task' | 'next'; id: number; task: unknown; payload?: Uint8Array }
  | { type: 'abort'; id: number }
  | { type: 'reply'; id: number; ask: number; value: unknown }
  | { type: 'refuse'; id: number; ask: number; error: unknown }
  | { type: 'note'; note: unknown }

/** Runs the tasks of a `WorkerPool` in this thread. The program is opened with a function that sends the pool a note. */
export function serveThread<Task>(open: (tell: (note: unknown) => void) => Program<Task>): void {
  const port = parentPort
  if (port === null) throw new Error('This program runs in a worker thread.')
  const post = (message: FromWorker) => port.postMessage(message)
  const program = open((note) => post({ type: 'note', note }))
  // An array, because tasks are added and removed all the time (see `RecordMap`).
  const calls: Open[] = []
  const openCall = (id: number) => calls.find((call) => call.id === id)
  let asked = 0
  let claims: Claims = newClaims()

  const run = async (id: number, task: Task) => {
    const call: Open = { id, controller: new AbortController(), asks: new Map() }
    calls.push(call)
    const ask = async (method: string, ...args: unknown[]) => {
      const answer = Promise.withResolvers<unknown>()
      call.asks.set(++asked, answer)
      post({ type: 'ask', id, ask: asked, method, args })
      return answer.promise
    }
    try {
      post({ type: 'done', id, value: await program.run(task, { ask, signal: call.controller.signal }) })
    } catch (error) {
      post({ type: 'failed', id, error })
    } finally {
      calls.splice(calls.indexOf(call), 1)
    }
  }

  port.on('message', (message: ToWorker) => {
    switch (message.type) {
      case 'claims':
        claims = message.claims
        return
      case 'next':
        return claim(claims, message.id) ? void run(message.id, message.task as Task) : undefined
      case 'task':
        return void run(message.id, message.task as Task)
      case 'abort':
        return openCall(message.id)?.controller.abort()
      case 'reply':
        return openCall(message.id)?.asks.get(message.ask)?.resolve(message.value)
      case 'refuse':
        return openCall(message.id)?.asks.get(message.ask)?.reject(message.error)
      case 'note':
        return program.onNote(message.note as never)
    }
  })
  post({ type: 'ready' })
}

/** Largest id of a task that a slot can hold. */
export const MOST_ID = 0x7fff_ffff

/** A thread may not have begun a task that the pool counts as begun, so one slot is not enough. */
const SLOTS = 8

export function newClaims(): Claims {
  return new Int32Array(new SharedArrayBuffer(SLOTS * Int32Array.BYTES_PER_ELEMENT))
}

const slotOf = (id: number) => id % SLOTS

/** Offers a task. False if its slot is not free. */
export function offer(claims: Claims, id: number): boolean {
  return Atomics.compareExchange(claims, slotOf(id), 0, id) === 0
}

/** True if the task now belongs to the caller. */
export function claim(claims: Claims, id: number): boolean {
  return Atomics.compareExchange(claims, slotOf(id), id, 0) === id
}
