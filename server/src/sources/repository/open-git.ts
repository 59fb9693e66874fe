import { unescape } from 'node:querystring'
import { GiveUp } from '#jobs/lease.ts'
import type { NetClient } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import { type GitRemote, askForRefs, openGitRemote } from '#upstream/git-remote.ts'
import { UpstreamError } from '#upstream/upstream-error.ts'
import { encodePath as encode, fileAddress } from '#lib/addresses/page-address.ts'
import { type Repository, type RepositoryState } from './open-repository.ts'

type Deps = { fetch: NetClient['fetch'] }

type GitPages = {
  /** `isMain`: for the reference of the source, not for a further version. */
  pageUrl: (ref: string, path: string, isMain: boolean) => string
  lineAnchor: ((line: number) => string) | null
}

const MAX_PAGE_BYTES = 1 << 20

/** Opens the repository at a URL; null if no git host answers. Throws `GiveUp` with a sentence if the host refuses. */
export async function openGit(deps: Deps, address: string): Promise<Repository | null> {
  const { cloneUrls, rest, pages } = readGitAddress(address)
  for (const cloneUrl of cloneUrls) {
    const remote = await orGiveUp(() => openGitRemote(deps, cloneUrl).catch(nullWithoutGit))
    if (!remote) continue
    const { commit, ref, path } = choose(remote, rest)
    let known = pages.lineAnchor === null ? null : pages
    const stateAt = (of: { commit: string; ref: string }, isMain: boolean): RepositoryState => ({
      ...of,
      path,
      async fetch() {
        const bytes = await orGiveUp(() => remote.fetchPack(of.commit))
        known ??= (await isCgit(deps, cloneUrl)) ? cgitPages(cloneUrl) : pages
        const { pageUrl, lineAnchor } = known
        const urlOf = (file: string) => pageUrl(of.ref, file, isMain)
        const files = { bytes, encoding: '', commit: of.commit, scope: path, lineAnchor }
        return { ...files, pageUrl: urlOf, prefixes: [urlOf('')] }
      },
    })
    return {
      found: stateAt({ commit, ref }, true),
      listTags: async () => [...remote.refs.keys()].flatMap((name) => /^refs\/tags\/(.+)/s.exec(name)?.[1] ?? []),
      async findVersion(version) {
        const found = remote.refs.get(`refs/tags/${version}`) ?? remote.refs.get(`refs/heads/${version}`)
        if (found === undefined) throw new GiveUp(`The repository has no tag or branch "${version}".`)
        return stateAt({ commit: found, ref: version }, false)
      },
    }
  }
  return null
}

/** True if git can clone the repository at a URL. Throws `UpstreamError` or `NetError`. */
export async function hasGit(deps: Deps, address: string): Promise<boolean> {
  for (const cloneUrl of readGitAddress(address).cloneUrls) {
    if (await askForRefs(deps, cloneUrl).catch(nullWithoutGit)) return true
  }
  return false
}

/** A protocol error means that this is no git host. Errors such as refused addresses or outages are reported. */
function nullWithoutGit(error: unknown): null {
  if (error instanceof NetError && error.reason === 'protocol') return null
  throw error
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
function choose({ refs, defaultBranch }: GitRemote, rest: string[]): { commit: string; ref: string; path: string } {
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

/** Detects cgit by its `meta` generator, with bounded patterns: the main process must not parse HTML. */
function isMadeByCgit(html: string): boolean {
  const elements = html.match(/<meta\b[^<>]{1,300}>/gi) ?? []
  return elements.some((meta) => /name=["']?generator\b/i.test(meta) && /content=["']?cgit\b/i.test(meta))
}

/** A repository at a host that speaks the git protocol only, parsed from its URL. */
type GitAddress = {
  /** Candidate clone URLs, the likeliest first. */
  cloneUrls: string[]
  /** Branch, tag or commit, which may contain slashes, then a path. */
  rest: string[]
  /** Page URLs of files and folders, and line anchors if the host has them. */
  pages: GitPages
}

/** Parses a repository URL of Gitiles, SourceHut, cgit or any other git host. */
function readGitAddress(address: string): GitAddress {
  const url = new URL(address)
  const path = url.pathname.replace(/(?<!\/)\/+$/, '')
  if (url.hostname.endsWith('.googlesource.com')) return gitiles(url.origin, path)
  if (url.hostname === 'git.sr.ht') return sourcehut(url.origin, path)
  const [, repository, rest] = /^(.+?)\/(?:tree|plain|blame|about)(?:\/(.*))?$/s.exec(path) ?? []
  if (repository && url.searchParams.has('h')) {
    const branch = url.searchParams.get('h') ?? ''
    const base = `${url.origin}${repository}`
    return { cloneUrls: [base], rest: [...branch.split('/'), ...parts(rest)], pages: cgitPages(base) }
  }
  const base = `${url.origin}${path}`
  const cloneUrls = path.endsWith('.git') ? [base] : [base, `${base}.git`]
  return { cloneUrls, rest: [], pages: namelessPages(base) }
}

function gitiles(origin: string, path: string): GitAddress {
  const [repository = '', rest = ''] = path.split('/+')
  const base = `${origin}${repository}`
  return {
    cloneUrls: [base],
    rest: parts(rest.replace(/^(show|log|doc)?\/refs\/(heads|tags)\//, '').replace(/^(show|log|doc)\//, '')),
    pages: pagesBelow(`${base}/+/`, '', (ref, file) => `${encode(ref)}/${encode(file)}`),
  }
}

function sourcehut(origin: string, path: string): GitAddress {
  const [, repository = path, ref = '', file] =
    /^(\/[^/]+\/[^/]+)(?:\/tree\/(.+?)(?:\/item\/(.+))?)?$/s.exec(path) ?? []
  const base = `${origin}${repository}`
  return {
    cloneUrls: [base],
    rest: [...parts(ref), ...parts(file)],
    pages: pagesBelow(`${base}/tree/`, 'L', (at, name) => `${encode(at)}/item/${encode(name)}`),
  }
}

/** Page URLs of cgit, for hosts whose pages name cgit as their generator. */
function cgitPages(base: string): GitPages {
  return pagesBelow(`${base}/tree/`, 'n', (ref, file) => `${encode(file)}?h=${encodeURIComponent(ref)}`)
}

/** Page URLs for unknown hosts: the repository's URL with parameters for the file and a further version. */
function namelessPages(base: string): GitPages {
  return { pageUrl: (ref, file, isMain) => fileAddress(base, encode(file), isMain ? null : ref), lineAnchor: null }
}

/** Page URLs below a prefix, and line anchors that begin with `mark`. */
function pagesBelow(prefix: string, mark: string, below: GitPages['pageUrl']): GitPages {
  return { pageUrl: (...of) => prefix + below(...of), lineAnchor: (line) => `${mark}${line}` }
}

function parts(path = ''): string[] {
  // A stray percent sign is literal.
  return path.split('/').filter(Boolean).map(unescape)
}
