import { parentPort } from 'node:worker_threads'
import { claim, type Claims, newClaims } from './claims.ts'
import type { FromThread, ToThread } from './thread-messages.ts'

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

/** Runs the tasks of a `ThreadPool` in this thread. Returns a function that sends the pool a note. */
export function serveThread<Task>(program: Program<Task>): (note: unknown) => void {
  const port = parentPort
  if (port === null) throw new Error('This program runs in a worker thread.')
  const post = (message: FromThread) => port.postMessage(message)
  // An array, because tasks are added and removed all the time (see `RecordMap`).
  const open: Open[] = []
  const openCall = (id: number) => open.find((call) => call.id === id)
  let asked = 0
  let claims: Claims = newClaims()

  const run = async (id: number, task: Task) => {
    const call: Open = { id, controller: new AbortController(), asks: new Map() }
    open.push(call)
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
      open.splice(open.indexOf(call), 1)
    }
  }

  port.on('message', (message: ToThread) => {
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
  return (note) => post({ type: 'note', note })
}
