import { GiveUp } from '#jobs/errors.ts'
import type { NetClient } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import { type GitRemote, openGitRemote } from '#upstream/git-remote.ts'
import { UpstreamError } from '#upstream/upstream-error.ts'
import { type GitPages, cgitPages, readGitAddress } from './git-address.ts'

type Deps = { fetch: NetClient['fetch']; headers: Record<string, string> }

/** A commit of a repository accessed by the git protocol. */
export type OpenGit = {
  commit: string
  ref: string
  /** The file or folder in the URL; empty for the whole repository. */
  path: string
  fetchPack: () => Promise<Uint8Array<ArrayBuffer>>
  /** Returns page URLs of the host; sends a request if the source URL does not identify its software. */
  pages: () => Promise<GitPages>
}

const MAX_PAGE_BYTES = 1 << 20

/** Opens the repository at a URL; null if no git host answers. Throws `GiveUp` with a sentence if the host refuses. */
export async function openGit(deps: Deps, address: string): Promise<OpenGit | null> {
  const { cloneUrls, rest, pages } = readGitAddress(address)
  for (const cloneUrl of cloneUrls) {
    const remote = await orGiveUp(() => tryOpen(deps, cloneUrl))
    if (!remote) continue
    const { commit, ref, path } = choose(remote, rest)
    return {
      commit,
      ref,
      path,
      fetchPack: () => orGiveUp(() => remote.fetchPack(commit)),
      pages: async () => (pages.lineAnchor === null && (await isCgit(deps, cloneUrl)) ? cgitPages(cloneUrl) : pages),
    }
  }
  return null
}

async function tryOpen(deps: Deps, cloneUrl: string): Promise<GitRemote | null> {
  try {
    return await openGitRemote(deps, cloneUrl)
  } catch (error) {
    // A protocol error means that this is no git host. Errors such as refused addresses or outages are reported.
    if (error instanceof NetError && error.reason === 'protocol') return null
    throw error
  }
}

async function orGiveUp<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof UpstreamError) throw new GiveUp(error.message, { cause: error })
    throw error
  }
}

/** References may contain slashes, so try the longest candidate first. */
function choose({ refs, defaultBranch }: GitRemote, rest: string[]): Pick<OpenGit, 'commit' | 'ref' | 'path'> {
  for (let length = rest.length; length > 0; length--) {
    const ref = rest.slice(0, length).join('/')
    const commit = refs.get(`refs/heads/${ref}`) ?? refs.get(`refs/tags/${ref}`) ?? (/^[\da-f]{40}$/.test(ref) && ref)
    if (commit) return { commit, ref, path: rest.slice(length).join('/') }
  }
  if (rest.length > 0) throw new GiveUp(`The repository has no branch, tag or commit "${rest[0]}".`)
  const branch = defaultBranch ?? ['main', 'master'].find((name) => refs.has(`refs/heads/${name}`)) ?? 'HEAD'
  const commit = refs.get(`refs/heads/${branch}`) ?? refs.get('HEAD')
  if (commit === undefined) throw new GiveUp('The repository is empty.')
  return { commit, ref: branch, path: '' }
}

async function isCgit({ fetch }: Deps, url: string): Promise<boolean> {
  try {
    const { status, bytes } = await fetch(url, { maxBytes: MAX_PAGE_BYTES })
    return status === 200 && isMadeByCgit(Buffer.from(bytes).toString('latin1'))
  } catch (error) {
    if (error instanceof NetError && error.reason !== 'aborted') return false
    throw error
  }
}

/**
 * Detects cgit by its `meta` generator. Uses bounded regular expressions, because the main process must not parse HTML.
 */
function isMadeByCgit(html: string): boolean {
  const elements = html.match(/<meta\b[^<>]{1,300}>/gi) ?? []
  return elements.some((meta) => /name=["']?generator\b/i.test(meta) && /content=["']?cgit\b/i.test(meta))
}
