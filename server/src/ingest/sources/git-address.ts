import { fileAddress } from '#lib/address-path.ts'
/** A repository at a host that is known by git's own protocol alone, as an address names it. */
export type GitAddress = {
  /** What git would clone, the likeliest first. */
  cloneUrls: string[]
  /** What the address says to read: a branch, tag or commit, which may hold slashes, then a path. */
  rest: string[]
  /** Where a file or a folder is looked at, and the fragment of a line there, null where it is not known. */
  pages: GitPages
}

export type GitPages = {
  /** Every address that `pageUrl` makes begins with it. */
  prefix: string
  pageUrl: (ref: string, path: string) => string
  lineAnchor: ((line: number) => string) | null
}

const encode = (path: string) => path.split('/').map(encodeURIComponent).join('/')

/** Takes an address of Gitiles, SourceHut, cgit or any other git host apart. */
export function readGitAddress(address: string): GitAddress {
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
    pages: {
      prefix: `${base}/+/`,
      pageUrl: (ref, file) => `${base}/+/${encode(ref)}/${encode(file)}`,
      lineAnchor: String,
    },
  }
}

function sourcehut(origin: string, path: string): GitAddress {
  const [, repository = path, ref = '', file] =
    /^(\/[^/]+\/[^/]+)(?:\/tree\/(.+?)(?:\/item\/(.+))?)?$/s.exec(path) ?? []
  const base = `${origin}${repository}`
  return {
    cloneUrls: [base],
    rest: [...parts(ref), ...parts(file)],
    pages: {
      prefix: `${base}/tree/`,
      pageUrl: (at, name) => `${base}/tree/${encode(at)}/item/${encode(name)}`,
      lineAnchor: (line) => `L${line}`,
    },
  }
}

/** Cgit says of itself that it made the pages of a repository. */
export function cgitPages(base: string): GitPages {
  return {
    prefix: `${base}/tree/`,
    pageUrl: (ref, file) => `${base}/tree/${encode(file)}?h=${encodeURIComponent(ref)}`,
    lineAnchor: (line) => `n${line}`,
  }
}

/** Where nothing is known of the host's pages, files are told apart by a parameter of the repository's own address. */
function namelessPages(base: string): GitPages {
  return {
    prefix: fileAddress(base, ''),
    pageUrl: (_, file) => fileAddress(base, encode(file)),
    lineAnchor: null,
  }
}

function parts(path = ''): string[] {
  return path.split('/').filter(Boolean).map(decode)
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // A stray percent sign stands for itself.
    return part
  }
}
