import { z } from 'zod'
import { parseBoundedJson } from '#lib/text/bounded-json.ts'
import { GiveUp } from '#jobs/lease.ts'
import type { NetClient, NetResponse } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'

type Deps = {
  fetch: NetClient['fetch']
  githubApiUrl: string
  /** Authentication headers, sent only to the host itself. */
  headers: Record<string, string>
  /** Default branch from the last reading, used if the host does not tell. */
  knownBranch: string | null
}

/** URLs of one code host. Names are validated by the caller; references and paths are encoded here. */
type RepositoryHost = {
  kind: 'github' | 'gitlab' | 'gitea' | 'bitbucket'
  /** Display name. */
  title: string
  /** Web URL of a repository. */
  site: (name: string) => string
  /** Parses a path on this host; null if it is no repository. */
  parse: (path: string) => RepositoryAddress | null
  /** URL of the repository's metadata, as JSON. */
  aboutUrl: (name: string) => string
  /** URL of the commit that a reference resolves to, as JSON. */
  commitUrl: (name: string, ref: string) => string
  /** URL of a `tar.gz` archive of the repository; `HEAD` is the default branch. */
  archiveUrl: (name: string, ref: string) => string
  /** Archive URL outside the API and its rate limit, if the host has one. */
  otherArchiveUrl?: (name: string, ref: string) => string
  /** Web URL of a file or folder. */
  pageUrl: (
    name: string,
    at: { ref: string; refKind: RepositoryAddress['refKind']; path: string; isFolder: boolean },
  ) => string
  /** URL fragment of a line. */
  lineAnchor: (line: number) => string
}
/** A repository as parsed from its URL. */
type RepositoryAddress = {
  /** Owner and name, or groups and name, without slashes at the ends. */
  name: string
  /** Path after the marker of a tree or file: a branch, tag or commit, which may contain slashes, then a path. */
  rest: string[]
  /** Kind of the reference, if the host's URLs specify it. */
  refKind: 'branch' | 'tag' | 'commit' | null
}

/** An existing repository, and how to request its contents. */
export type OpenRepository = {
  host: RepositoryHost
  name: string
  /** Candidates, the likeliest first: only the host knows where a reference with slashes ends. */
  choices: { ref: string; refKind: RepositoryAddress['refKind']; path: string }[]
}

/** Message for a URL where no readable repository was found. */
export const NO_REPOSITORY =
  'The address does not lead to a repository that can be read. Give the address of a repository at GitHub, GitLab, Gitea, Forgejo, Bitbucket, or of one that git can clone over HTTPS.'

/** References with more segments are not tried. */
const MAX_REF_PARTS = 4
const MAX_ABOUT_BYTES = 1 << 20

const AboutSchema = z.union([
  z.object({ default_branch: z.string().min(1) }).transform((about) => about.default_branch),
  z.object({ mainbranch: z.object({ name: z.string().min(1) }) }).transform((about) => about.mainbranch.name),
])

/**
 * Detects the code host of a URL, and what to read there. Null if no known API answers. Throws `GiveUp` if a host
 * answers that it has no such repository.
 */
export async function openRepository(
  { fetch, githubApiUrl, headers, knownBranch }: Deps,
  address: string,
): Promise<OpenRepository | null> {
  const url = new URL(address)
  const { certain, hosts } = hostsOf(url, githubApiUrl)
  for (const host of hosts) {
    const parsed = host.parse(url.pathname)
    if (!parsed) continue
    const about = await fetch(host.aboutUrl(parsed.name), { headers, maxBytes: MAX_ABOUT_BYTES }).catch(
      (error: unknown) => {
        // A network error says little about a host that may not be a code host, so try the next kind.
        if (certain || !(error instanceof NetError) || error.reason === 'blocked_address') throw error
        return null
      },
    )
    const branch = about && defaultBranch(about)
    if (branch || (certain && about && !isAbsent(about.status))) {
      return { host, name: parsed.name, choices: choicesOf(parsed, branch ?? knownBranch ?? 'HEAD') }
    }
    if (certain && about) throw new GiveUp(absentSentence(host, parsed.name, about.status))
  }
  if (certain) throw new GiveUp(NO_REPOSITORY)
  return null
}

/** Returns the host if its name identifies it, else the self-hosted kinds to probe in order. */
function hostsOf(url: URL, githubApiUrl: string): { certain: boolean; hosts: RepositoryHost[] } {
  const { hostname, origin } = url
  const only = (host: RepositoryHost) => ({ certain: true, hosts: [host] })
  if (/^(www\.)?github\.com$/.test(hostname)) return only(githubHost('https://github.com', githubApiUrl))
  // GitHub Enterprise serves its API and its pages at the same origin.
  if (origin === new URL(githubApiUrl).origin) return only(githubHost(origin, githubApiUrl))
  if (/^(www\.)?gitlab\.com$/.test(hostname)) return only(gitlabHost('https://gitlab.com'))
  if (/^(www\.)?bitbucket\.org$/.test(hostname)) return only(bitbucketHost())
  if (hostname === 'codeberg.org') return only(giteaHost(origin))
  const own = [giteaHost(origin), gitlabHost(origin)]
  return { certain: false, hosts: /gitlab/.test(hostname) ? own.toReversed() : own }
}

function choicesOf({ rest, refKind }: RepositoryAddress, branch: string): OpenRepository['choices'] {
  if (rest.length === 0) return [{ ref: branch, refKind: null, path: '' }]
  const choices: OpenRepository['choices'] = []
  for (let parts = 1; parts <= Math.min(rest.length, MAX_REF_PARTS); parts++) {
    choices.push({ ref: rest.slice(0, parts).join('/'), refKind, path: rest.slice(parts).join('/') })
  }
  return choices
}

function defaultBranch({ status, bytes }: NetResponse): string | null {
  if (status !== 200) return null
  try {
    return AboutSchema.safeParse(parseBoundedJson(bytes)).data ?? null
  } catch {
    // An HTML page instead of JSON: this is not the assumed host.
    return null
  }
}

function isAbsent(status: number): boolean {
  return status === 404 || status === 401 || status === 410 || status === 451
}

function absentSentence(host: RepositoryHost, name: string, status: number): string {
  return status === 401
    ? `${host.title} refused the token of the linked account for ${name}.`
    : `${host.title} knows of no repository ${name}, or does not show it to everybody. For a private one, link an account that can read it.`
}

/** Two or more segments of letters, digits and `.-_~`, without `.` and `..`. */
const WELL_FORMED = /^(?!\.{1,2}(\/|$))[\w.~-]{1,100}(\/(?!\.{1,2}(\/|$))[\w.~-]{1,100}){1,20}$/
const encode = (path: string) => path.split('/').map(encodeURIComponent).join('/')
const inLine = (line: number) => `L${line}`

export function githubHost(origin: string, apiUrl: string): RepositoryHost {
  return {
    kind: 'github',
    title: 'GitHub',
    site: (name) => `${origin}/${name}`,
    parse: (path) => parseTwoParts(path, /^\/(?:tree|blob|raw|blame)\/(.+)$/),
    aboutUrl: (name) => `${apiUrl}/repos/${name}`,
    commitUrl: (name, ref) => `${apiUrl}/repos/${name}/commits?per_page=1&sha=${encodeURIComponent(ref)}`,
    archiveUrl: (name, ref) => `${apiUrl}/repos/${name}/tarball/${encode(ref)}`,
    otherArchiveUrl: (name, ref) => `${origin}/${name}/archive/${encode(ref)}.tar.gz`,
    pageUrl: (name, { ref, path, isFolder }) =>
      `${origin}/${name}/${isFolder ? 'tree' : 'blob'}/${encode(ref)}/${encode(path)}`,
    lineAnchor: inLine,
  }
}

export function gitlabHost(origin: string): RepositoryHost {
  return {
    kind: 'gitlab',
    title: 'GitLab',
    site: (name) => `${origin}/${name}`,
    parse(path) {
      const [, name = '', rest = ''] = /^\/(.+?)(?:\/-\/(?:tree|blob|raw)\/(.+)|\/-(?:\/.*)?)?\/?$/s.exec(path) ?? []
      return address(name, rest)
    },
    aboutUrl: (name) => `${origin}/api/v4/projects/${encodeURIComponent(name)}`,
    commitUrl: (name, ref) =>
      `${origin}/api/v4/projects/${encodeURIComponent(name)}/repository/commits/${encodeURIComponent(ref)}`,
    archiveUrl: (name, ref) =>
      `${origin}/api/v4/projects/${encodeURIComponent(name)}/repository/archive.tar.gz?sha=${encodeURIComponent(ref)}`,
    otherArchiveUrl: (name, ref) => `${origin}/${name}/-/archive/${encode(ref)}/archive.tar.gz`,
    pageUrl: (name, { ref, path, isFolder }) =>
      `${origin}/${name}/-/${isFolder ? 'tree' : 'blob'}/${encode(ref)}/${encode(path)}`,
    lineAnchor: inLine,
  }
}

/** Gitea, and Forgejo, whose API is compatible. */
export function giteaHost(origin: string): RepositoryHost {
  return {
    kind: 'gitea',
    title: 'The code host',
    site: (name) => `${origin}/${name}`,
    parse(path) {
      const kind = /^\/[^/]+\/[^/]+\/(?:src|raw)\/(branch|tag|commit)\//.exec(path)?.[1]
      const parsed = parseTwoParts(path, /^\/(?:src|raw)\/(?:branch|tag|commit)\/(.+)$/)
      return parsed && { ...parsed, refKind: kind === 'branch' || kind === 'tag' || kind === 'commit' ? kind : null }
    },
    aboutUrl: (name) => `${origin}/api/v1/repos/${name}`,
    commitUrl: (name, ref) =>
      `${origin}/api/v1/repos/${name}/commits?limit=1&stat=false&files=false&verification=false&sha=${encodeURIComponent(ref)}`,
    archiveUrl: (name, ref) => `${origin}/api/v1/repos/${name}/archive/${encode(ref)}.tar.gz`,
    pageUrl: (name, { ref, refKind, path }) =>
      `${origin}/${name}/src/${refKind ?? 'branch'}/${encode(ref)}/${encode(path)}`,
    lineAnchor: inLine,
  }
}

export function bitbucketHost(): RepositoryHost {
  const origin = 'https://bitbucket.org'
  return {
    kind: 'bitbucket',
    title: 'Bitbucket',
    site: (name) => `${origin}/${name}`,
    parse: (path) => parseTwoParts(path, /^\/(?:src|raw)\/(.+)$/),
    aboutUrl: (name) => `https://api.bitbucket.org/2.0/repositories/${name}`,
    commitUrl: (name, ref) =>
      `https://api.bitbucket.org/2.0/repositories/${name}/commits?pagelen=1&include=${encodeURIComponent(ref)}`,
    archiveUrl: (name, ref) => `${origin}/${name}/get/${encode(ref)}.tar.gz`,
    pageUrl: (name, { ref, path }) => `${origin}/${name}/src/${encode(ref)}/${encode(path)}`,
    lineAnchor: (line) => `lines-${line}`,
  }
}

/** Parses `/owner/name` and an optional tree or file. Other pages of a repository stand for the whole. */
function parseTwoParts(path: string, tree: RegExp): RepositoryAddress | null {
  const [, name = '', more = ''] = /^(\/[^/]+\/[^/]+)(\/.*)?$/.exec(path) ?? []
  return address(name.slice(1), tree.exec(more)?.[1] ?? '')
}

function address(given: string, rest: string): RepositoryAddress | null {
  const name = given.replace(/\.git$/, '')
  if (!WELL_FORMED.test(name)) return null
  try {
    const parts = rest.split('/').filter(Boolean).map(decodeURIComponent)
    return parts.includes('..') ? null : { name, rest: parts, refKind: null }
  } catch {
    // A stray percent sign: no host generates such URLs.
    return null
  }
}
