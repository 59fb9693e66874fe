import { once } from 'node:events'
import type { Server } from 'node:http'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { RequestGate } from './request-gate.ts'

export type StopOptions = {
  /** Grace period in milliseconds, in which recently used or opened connections can send one more request. */
  graceMs: number
  /** Milliseconds for responses in transit. Streams and exports could take minutes. */
  sendMs: number
  /** Milliseconds for calls in progress. */
  deadlineMs: number
}

/** After this time without a new connection, the load balancer has noticed the shutdown. */
const QUIET_MS = 50
const STEP_MS = 10
/** Maximum event loop turns to wait for an empty accept queue. */
const MAX_TURNS = 100
/** Maximum duration of an idle turn, in milliseconds. */
const EMPTY_TURN_MS = 0.3

/**
 * Stops a server without connection resets. Open connections get one more response, with `connection: close`. The
 * listener closes after new connections stop. Resolves when no connection is left.
 */
export async function stopServer(server: Server, gate: RequestGate, options: StopOptions): Promise<void> {
  if (!server.listening) return
  const started = performance.now()
  const closed = once(server, 'close')
  gate.close()
  let connectedAt = options.graceMs > 0 ? started - QUIET_MS + STEP_MS : -Infinity
  const onConnection = () => (connectedAt = performance.now())
  server.on('connection', onConnection)
  try {
    let isListening = true
    for (;;) {
      const now = performance.now()
      const isOver = now - started >= options.graceMs
      if (isListening && (isOver || now - connectedAt >= QUIET_MS)) {
        await closeListener(server, () => connectedAt)
        isListening = false
      }
      dropConnections(gate, { ...options, now, started })
      if (!isListening && gate.connections.size === 0) break
      await sleep(STEP_MS)
      // Requests that arrived while the process was held up are read first.
      await nextTurn()
    }
  } finally {
    server.off('connection', onConnection)
  }
  await closed
}

/**
 * The kernel resets connections that it accepted but Node did not. Node accepts all pending connections when it polls,
 * so close the listener right after an idle poll.
 */
async function closeListener(server: Server, lastConnection: () => number): Promise<void> {
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const before = performance.now()
    await nextTurn()
    if (performance.now() - before < EMPTY_TURN_MS && lastConnection() < before) break
  }
  // Node would also close idle connections, although a request may be on its way. They have their grace period.
  server.closeIdleConnections = () => undefined
  server.close()
}

type Moment = StopOptions & { now: number; started: number }

function dropConnections({ connections }: RequestGate, { now, started, graceMs, sendMs, deadlineMs }: Moment): void {
  const elapsed = now - started
  for (const [socket, { current, idleSince }] of connections) {
    if (elapsed >= deadlineMs) socket.destroy()
    else if (current === null) {
      if (now - idleSince >= graceMs) socket.destroySoon()
    } else if (current.outgoing.headersSent && elapsed >= sendMs) socket.destroy()
  }
}
