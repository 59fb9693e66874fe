import { createConcurrencyLimits } from '#lib/concurrency-limits.ts'
import { type Remote, type RemoteDeps, connectRemoteMcp } from './connect-remote-mcp.ts'
import type { RemoteSession } from './remote-session.ts'
import { UpstreamError } from './upstream-error.ts'

/**
 * Live calls under way at once on this node. Connecting and listing take some 5 ms of CPU for each call, in the thread
 * that answers everybody: 16 of one server are 80 ms, and 300 were 1.3 s. A call that hangs holds a socket and some 100
 * kB until its deadline. The net opens 64 connections to a host, which crawls and other accounts need as well.
 */
export const LIVE_CALLS = { server: 16, account: 24, host: 32, all: 256 } as const

/** Milliseconds: most clients give up after a minute. */
const DEADLINES = { connectMs: 10_000, listMs: 10_000, totalMs: 45_000 }

/** On whose behalf a session is opened. */
type Caller = { serverId: string; accountId: string }

export type OpenLiveSession = (
  caller: Caller,
  remote: Pick<Remote, 'url' | 'credential' | 'signal'>,
) => Promise<RemoteSession>

/**
 * Opens sessions for calls that somebody waits for. A session holds its place until it is disposed of. Over a limit it
 * throws an `UpstreamError` that says which, at once.
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
