import { createConcurrencyLimits } from '#lib/limits/concurrency-limits.ts'
import { type Remote, type RemoteDeps, connectRemoteMcp } from './connect-remote-mcp.ts'
import type { RemoteSession } from './remote-session.ts'
import { UpstreamError } from './upstream-error.ts'

/**
 * Concurrent live calls on this node. Connecting and listing take about 5 ms of CPU per call on the main thread: 16
 * calls of one server take 80 ms, and 300 took 1.3 s. A hanging call holds a socket and about 100 kB until its
 * deadline. The HTTP client opens 64 connections per host, which crawls and other accounts need as well.
 */
export const LIVE_CALLS = { server: 16, account: 24, host: 32, all: 256 } as const

/** Milliseconds. Most clients give up after a minute. */
const DEADLINES = { connectMs: 10_000, listMs: 10_000, totalMs: 45_000 }

/** Owner of a session. */
type Caller = { serverId: string; accountId: string }

export type OpenLiveSession = (
  caller: Caller,
  remote: Pick<Remote, 'url' | 'credential' | 'signal'>,
) => Promise<RemoteSession>

/**
 * Opens sessions for interactive calls. A session holds its slot until disposal. Beyond a limit it immediately throws
 * an `UpstreamError` that names the limit.
 */
export function createLiveSessions(deps: RemoteDeps, limits: Record<keyof typeof LIVE_CALLS, number> = LIVE_CALLS) {
  const underWay = createConcurrencyLimits(limits)
  const open: OpenLiveSession = async ({ serverId, accountId }, remote) => {
    const { host } = new URL(remote.url)
    const place = underWay.take({ server: serverId, account: accountId, host, all: '' })
    if ('refusedBy' in place) throw new UpstreamError('failed', BUSY[place.refusedBy](place.limit, host))
    try {
      const session = await connectRemoteMcp(deps, { ...remote, ...DEADLINES })
      return {
        ...session,
        async [Symbol.asyncDispose]() {
          using _ = place
          await session[Symbol.asyncDispose]()
        },
      }
    } catch (error) {
      place[Symbol.dispose]()
      throw error
    }
  }
  return open
}

const BUSY: Record<keyof typeof LIVE_CALLS, (limit: number, host: string) => string> = {
  server: (limit) => `This server has ${limit} live calls under way, and no more are made at once. ${LATER}`,
  account: (limit) =>
    `The servers of this account have ${limit} live calls under way, and no more are made at once. ${LATER}`,
  host: (limit, host) => `${host} has ${limit} live calls under way, and no more are made at once. ${LATER}`,
  all: () => `Too many live calls are under way. ${LATER}`,
}
const LATER = 'Try again in a moment.'
