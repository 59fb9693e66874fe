import { once } from 'node:events'
import type { Server } from 'node:http'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { RequestGate } from './request-gate.ts'

export type StopOptions = {
  /** Milliseconds in which connections that were just used, or just opened, can send one more request. */
  graceMs: number
  /** Milliseconds for answers that are being sent: streams and exports would go on for minutes. */
  sendMs: number
  /** Milliseconds for calls under way. */
  deadlineMs: number
}

/** Without a new connection for so long, a load balancer has noticed that this node is going. */
const QUIET_MS = 50
const STEP_MS = 10
/** Turns of the event loop in which a moment is looked for that has no connection to accept. */
const MAX_TURNS = 100
/** A turn in which nothing was done. */
const EMPTY_TURN_MS = 0.3

/**
 * Stops a server without resetting connections: those that are open are answered once more, with `connection: close`,
 * and the listener is closed when nobody connects any more. Resolves when no connection is left.
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
    }
  } finally {
    server.off('connection', onConnection)
  }
  await closed
}

/**
 * The kernel resets connections that it has accepted and we have not. Node accepts all there are when it polls, so the
 * listener is closed right after a poll that found nothing else to do.
 */
async function closeListener(server: Server, lastConnection: () => number): Promise<void> {
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const before = performance.now()
    await nextTurn()
    if (performance.now() - before < EMPTY_TURN_MS && lastConnection() < before) break
  }
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
