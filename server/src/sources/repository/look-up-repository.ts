import { GiveUp } from '#jobs/lease.ts'
import type { NetClient } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import { hostName, kindOfHost } from '#upstream/code-host.ts'
import { UpstreamError } from '#upstream/upstream-error.ts'
import { hasGit } from './open-git.ts'
import { NO_REPOSITORY, openRepository } from './open-repository.ts'

/** Milliseconds for each request: a user waits for the answer. */
const LOOK_MS = 8_000

/**
 * Checks that a host shows a repository at an address to everybody, by git's protocol or by the interface of a code host.
 * Throws `UpstreamError` otherwise: `refused` if the host asks for a credential, `absent`, or `failed` if it cannot be
 * asked. At hosts that are known by name, the address names no repository.
 */
export async function lookUpRepository(
  { fetch, githubApiUrl }: { fetch: NetClient['fetch']; githubApiUrl: string },
  address: URL,
): Promise<void> {
  const { host, href } = address
  if (kindOfHost(hostName(host), githubApiUrl) !== null) throw new UpstreamError('absent', NO_REPOSITORY)
  const ask: NetClient['fetch'] = (url, request) => fetch(url, { ...request, totalMs: LOOK_MS })
  try {
    if (await hasGit({ fetch: ask }, href)) return
    if (await openRepository({ fetch: ask, githubApiUrl, headers: {}, knownBranch: null }, href)) return
  } catch (cause) {
    if (cause instanceof GiveUp) throw new UpstreamError('absent', cause.message, { cause })
    if (cause instanceof NetError) throw new UpstreamError('failed', `${host}: ${cause.message}`, { cause })
    throw cause
  }
  throw new UpstreamError('absent', NO_REPOSITORY)
}
