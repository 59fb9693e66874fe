import { fileAddress } from '#lib/addresses/address-path.ts'
/** A repository at a host that is accessed by the git protocol only, parsed from its URL. */
export type GitAddress = {
  /** Candidate clone URLs, the likeliest first. */
  cloneUrls: string[]
  /** Branch, tag or commit, which may contain slashes, then a path. */
  rest: string[]
  /** Page URLs of files and folders, and line anchors if the host has them. */
  pages: GitPages
}

export type GitPages = {
  /** Common prefix of all URLs from `pageUrl`. */
  prefix: string
  pageUrl: (ref: string, path: string) => string
  lineAnchor: ((line: number) => string) | null
}

const encode = (path: string) => path.split('/').map(encodeURIComponent).join('/')

/** Parses a repository URL of Gitiles, SourceHut, cgit or any other git host. */
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

/** Page URLs of cgit, for hosts whose pages name cgit as their generator. */
export function cgitPages(base: string): GitPages {
  return {
    prefix: `${base}/tree/`,
    pageUrl: (ref, file) => `${base}/tree/${encode(file)}?h=${encodeURIComponent(ref)}`,
    lineAnchor: (line) => `n${line}`,
  }
}

/** Page URLs for unknown hosts: the repository's URL with a parameter per file. */
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
    // A stray percent sign is literal.
    return part
  }
}
