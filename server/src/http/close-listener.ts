import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { type AddressInfo, type Socket, connect, createServer } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

/** A backlog of one leaves the accept queue of Linux two places. */
const [SHORT_BACKLOG, PLACES] = [1, 2]
/** Bound for all attempts. One is usually enough, and takes a turn of the event loop for each client in the queue. */
const MOST_MS = 3_000
/** A client whose last handshake packet met a full queue sends it again within this time. */
const RESEND_MS = 250
/** States in `/proc/net/tcp`. */
const [ESTABLISHED, HANDSHAKE, LISTENING] = ['01', '03', '0A']

/**
 * Closes the listener when no client is in its accept queue, because the kernel resets the connections in it. Node
 * accepts one connection per turn of the event loop, and each is followed by one of our own. Once these fill the queue,
 * the kernel ignores further clients, which try again after a second and are refused.
 */
export async function closeListener(server: Server): Promise<void> {
  using own = new OwnConnections(server.address() as AddressInfo)
  let isFilling = true
  // Reading the queue takes milliseconds when there are thousands of connections, also recently closed ones.
  let mayBeFull = true
  const last = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    mayBeFull = own.remove(socket)
    if (isFilling) own.add()
    // Our next one is on its way first.
    if (!mayBeFull) process.nextTick(() => server.emit('connection', socket))
  })
  last.listen(server, SHORT_BACKLOG)
  const until = performance.now() + MOST_MS
  for (own.fill(); performance.now() < until;) {
    await nextTurn()
    const queue = mayBeFull ? own.readQueue() : 'clients'
    if (queue === 'own') break
    if (queue === 'clients') continue
    isFilling = false
    await sleep(RESEND_MS)
    isFilling = mayBeFull = true
    own.fill()
  }
  // Node would also close idle connections, although a request may be on its way. They have their grace period.
  server.closeIdleConnections = () => undefined
  last.close()
  server.close()
}

/** `own`: full of connections from here. `handshakes`: the same, and clients have begun to connect. */
type Queue = 'clients' | 'handshakes' | 'own'

/** Connections of this thread to its own listener that are not accepted yet. */
export class OwnConnections implements Disposable {
  readonly #sockets = new Set<Socket>()
  readonly #at: { host: string; port: number }

  constructor({ address, port }: AddressInfo) {
    this.#at = { host: /^(?:::|0\.0\.0\.0)$/.test(address) ? '127.0.0.1' : address, port }
  }

  fill(): void {
    for (let place = 0; place < PLACES; place++) this.add()
  }

  /** Connects in the next tick. On loopback, the kernel queues the connection at once. */
  add(): void {
    this.#sockets.add(connect(this.#at).on('error', () => {}))
  }

  /** Closes an accepted connection if it is one of these. */
  remove(accepted: Socket): boolean {
    const own = [...this.#sockets].find(({ localPort }) => localPort === accepted.remotePort)
    if (!own) return false
    this.#sockets.delete(own)
    own.destroy()
    accepted.destroy()
    return true
  }

  /** What the accept queue holds now. `own` where the system does not say. */
  readQueue(): Queue {
    const rows = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap(readRows).filter(({ port }) => port === this.#at.port)
    if (rows.length === 0) return 'own'
    const inState = (state: string) => rows.filter((row) => row.state === state)
    const ports = new Set([...this.#sockets].map(({ localPort }) => localPort))
    const isOwn = ({ peerPort }: Row) => ports.has(peerPort)
    const queued = inState(LISTENING).reduce((sum, row) => sum + row.queued, 0)
    if (queued !== PLACES || inState(ESTABLISHED).filter(isOwn).length !== PLACES) return 'clients'
    return inState(HANDSHAKE).every(isOwn) ? 'own' : 'handshakes'
  }

  [Symbol.dispose](): void {
    for (const socket of this.#sockets) socket.destroy()
  }
}

type Row = { port: number; peerPort: number; state: string; queued: number }

function readRows(path: string): Row[] {
  let text = ''
  try {
    text = readFileSync(path, 'latin1')
  } catch {
    // Other systems than Linux, and kernels without IPv6, have no such file.
  }
  const afterColon = (field = '') => Number.parseInt(field.slice(field.lastIndexOf(':') + 1), 16)
  return text.split('\n').flatMap((line) => {
    const [, local, peer, state, queues] = line.trim().split(/ +/)
    if (state === undefined || queues === undefined) return []
    return [{ port: afterColon(local), peerPort: afterColon(peer), state, queued: afterColon(queues) }]
  })
}
