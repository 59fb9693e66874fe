import { z } from 'zod'
import { parseBoundedJson } from '#lib/text/bounded-json.ts'
import { encodePath } from '#lib/addresses/page-address.ts'
import { GiveUp } from '#jobs/lease.ts'
import type { NetClient } from '#net/client.ts'
import { NetError, type NetReason } from '#net/net-error.ts'
import { REPOSITORY_NAME } from '#upstream/code-host.ts'
import hosts from './code-hosts.json' with { type: 'json' }

type Deps = {
  fetch: NetClient['fetch']
  githubApiUrl: string
  /** Authentication headers, sent only to the host itself. */
  headers: Record<string, string>
  /** Default branch from the last reading, used if the host does not tell. */
  knownBranch: string | null
}

/** A field of a row and its path in the host's JSON: `a.b|c` is `c` where `a.b` is missing. */
export type RowFields = Readonly<Record<string, string>>

/** One list of releases, issues or pull requests. Its URLs are templates. */
type HostList = {
  /** Unique within the repository. */
  name: string
  kind: string
  /** Web URL of the list, and URL prefixes of its entries. */
  site: string
  prefixes: readonly string[]
  /** API URL without paging, latest change first, and what restricts it to changes since a time. */
  url: string
  since?: string
  /** Comments on one entry, and if the host supports it on all at once. */
  comments?: string
  allComments?: string
}

/** URL templates and JSON fields of one kind of code host, from `code-hosts.json`. */
type HostFacts = {
  title: string
  /** API URL of a repository. The others refer to it as `{base}`, and to its web URL as `{site}`. */
  base: string
  commit: string
  /** List of tags: all, or the newest first. */
  tags: string
  archive: string
  /** Archive URL outside the API and its rate limit. */
  otherArchive?: string
  file: string
  folder: string
  /** Of a tag, where the URLs of files tell tags and branches apart. */
  tag?: string
  /** URL fragment of a line. */
  line: string
  headers?: Readonly<Record<string, string>>
  /** Added to the message about an exhausted rate limit. */
  advice?: string
  /** Paging query, and rows per page. */
  page: string
  pageRows: number
  lists: readonly HostList[]
  /** Those of GitHub if missing: Gitea and Forgejo copy the shapes of its API. */
  release?: RowFields
  issue?: RowFields
  comment?: RowFields
}

export type CodeHost = HostFacts & { kind: keyof typeof hosts; origin: string; api: string }

/** A code host at `origin`. `api` is the URL of GitHub's API. */
export function codeHost(kind: CodeHost['kind'], origin: string, api = origin): CodeHost {
  const { release, issue, comment } = hosts.github
  const facts: HostFacts = hosts[kind]
  return { release, issue, comment, ...facts, kind, origin, api }
}

/** Fills a URL template. Values are encoded; `{+ref}` keeps the slashes of `ref`. */
export function hostUrl(
  { host, name }: Pick<OpenRepository, 'host' | 'name'>,
  template: string,
  values: Readonly<Record<string, string>> = {},
): string {
  const { origin, api, base } = host
  const known: Record<string, string> = { origin, api, site: `${origin}/${name}` }
  const fill = (text: string): string =>
    text.replace(/\{(\+?)(\w{1,20})\}/g, (_, plus: string, key: string) => {
      if (key === 'base') return fill(base)
      const value = key === 'name' ? name : (values[key] ?? '')
      return known[key] ?? (plus === '' ? encodeURIComponent(value) : encodePath(value))
    })
  return fill(template)
}

/** A repository as parsed from its URL. */
type RepositoryAddress = {
  /** Owner and name, or groups and name, without slashes at the ends. */
  name: string
  /** Path after the marker of a tree or file: a branch, tag or commit, which may contain slashes, then a path. */
  rest: string[]
  /** `branch`, `tag` or `commit`, if the host's URLs specify it. */
  refKind: string | null
}

/** An existing repository, and how to request its contents. */
export type OpenRepository = {
  host: CodeHost
  name: string
  /** Candidates, the likeliest first: only the host knows where a reference with slashes ends. */
  choices: { ref: string; refKind: RepositoryAddress['refKind']; path: string }[]
}

/** The files of one repository state, as fetched. */
export type RepositoryFiles = {
  bytes: Uint8Array<ArrayBuffer>
  /** The remaining Content-Encoding of an archive. */
  encoding: string
  /** Called after the bytes were read. */
  release?: (() => void) | undefined
  /** The commit to read if the bytes are a git pack; null for archives. */
  commit: string | null
  /** The file or folder to read; empty for all. */
  scope: string
  pageUrl: (path: string, isFolder?: boolean) => string
  /** Returns the fragment of a line; null if there are none. */
  lineAnchor: ((line: number) => string) | null
}

/** One state of a repository's files, not fetched yet. */
export type RepositoryState = {
  /** Null if the host does not tell it in advance. */
  commit: string | null
  ref: string
  /** The file or folder in the URL; empty for the whole repository. */
  path: string
  /** `prefixes` are those of all page URLs. */
  fetch: () => Promise<RepositoryFiles & { prefixes: string[] }>
}

/** An open repository: the state that its address names, and its tags and branches. */
export type Repository = {
  found: RepositoryState
  listTags: () => Promise<readonly string[]>
  /** Finds the files of a tag or branch below the path of the address. Throws `GiveUp` if there is none. */
  findVersion: (version: string) => Promise<RepositoryState>
}

/** Message for a URL where no readable repository was found. */
export const NO_REPOSITORY =
  'The address does not lead to a repository that can be read. Give the address of a repository at GitHub, GitLab, Gitea, Forgejo, Bitbucket, or of one that git can clone over HTTPS.'

/** References with more segments are not tried. */
const MAX_REF_PARTS = 4
const MAX_ABOUT_BYTES = 1 << 20
const ABSENT = new Set([401, 404, 410, 451])

/** The same for every kind: all are asked at one host. Further tries wait for longer and longer. */
const UNREACHED: ReadonlySet<NetReason> = new Set(['blocked_address', 'connect', 'dns'])

const AboutSchema = z.union([
  z.object({ default_branch: z.string().min(1) }).transform((about) => about.default_branch),
  z.object({ mainbranch: z.object({ name: z.string().min(1) }) }).transform((about) => about.mainbranch.name),
])

/** Detects the code host of a URL. Null if no known API answers. Throws `GiveUp` if a host has no such repository. */
export async function openRepository(
  { fetch, githubApiUrl, headers, knownBranch }: Deps,
  address: string,
): Promise<OpenRepository | null> {
  const url = new URL(address)
  const { certain, hosts } = hostsOf(url, githubApiUrl)
  for (const host of hosts) {
    const parsed = parsePath(host.kind, url.pathname)
    if (!parsed) continue
    const about = await fetch(hostUrl({ host, name: parsed.name }, host.base), {
      headers,
      maxBytes: MAX_ABOUT_BYTES,
    }).catch((error: unknown) => {
      // Other network errors say little about a host that may not be a code host, so try the next kind.
      if (certain || !(error instanceof NetError) || UNREACHED.has(error.reason)) throw error
      return null
    })
    // An HTML page instead of JSON: this is not the assumed host.
    const branch = about?.status === 200 ? parseAnswer(about.bytes, AboutSchema) : null
    if (branch || (certain && about && !ABSENT.has(about.status))) {
      return { host, name: parsed.name, choices: choicesOf(parsed, branch ?? knownBranch ?? 'HEAD') }
    }
    if (certain && about) throw new GiveUp(absentSentence(host, parsed.name, about.status))
  }
  if (certain) throw new GiveUp(NO_REPOSITORY)
  return null
}

/** Returns the host if its name identifies it, else the self-hosted kinds to probe in order. */
function hostsOf({ hostname, origin }: URL, githubApiUrl: string): { certain: boolean; hosts: CodeHost[] } {
  const only = (...host: Parameters<typeof codeHost>) => ({ certain: true, hosts: [codeHost(...host)] })
  if (/^(www\.)?github\.com$/.test(hostname)) return only('github', 'https://github.com', githubApiUrl)
  // GitHub Enterprise serves its API and its pages at the same origin.
  if (origin === new URL(githubApiUrl).origin) return only('github', origin, githubApiUrl)
  if (/^(www\.)?gitlab\.com$/.test(hostname)) return only('gitlab', 'https://gitlab.com')
  if (/^(www\.)?bitbucket\.org$/.test(hostname)) return only('bitbucket', 'https://bitbucket.org')
  if (hostname === 'codeberg.org') return only('gitea', origin)
  const own = [codeHost('gitea', origin), codeHost('gitlab', origin)]
  return { certain: false, hosts: /gitlab/.test(hostname) ? own.toReversed() : own }
}

function choicesOf({ rest, refKind }: RepositoryAddress, branch: string): OpenRepository['choices'] {
  if (rest.length === 0) return [{ ref: branch, refKind: null, path: '' }]
  return rest.slice(0, MAX_REF_PARTS).map((_, last) => {
    const path = rest.slice(last + 1).join('/')
    return { ref: rest.slice(0, last + 1).join('/'), refKind, path }
  })
}

/** Parses an answer of a host. Null for invalid or too large JSON, or another form. */
export function parseAnswer<T>(bytes: Uint8Array, schema: z.ZodType<T>): T | null {
  try {
    return schema.safeParse(parseBoundedJson(bytes)).data ?? null
  } catch {
    return null
  }
}

function absentSentence(host: CodeHost, name: string, status: number): string {
  return status === 401
    ? `${host.title} refused the token of the linked account for ${name}.`
    : `${host.title} knows of no repository ${name}, or does not show it to everybody. For a private one, link an account that can read it.`
}

/** A repository's path and its trees and files. Other pages of a repository stand for the whole. */
const PATHS: Record<CodeHost['kind'], RegExp> = {
  github: /^\/(?<name>[^/]+\/[^/]+)(?:\/(?:tree|blob|raw|blame)\/(?<rest>.+)|\/.*)?$/,
  gitlab: /^\/(?<name>.+?)(?:\/-\/(?:tree|blob|raw)\/(?<rest>.+)|\/-(?:\/.*)?)?\/?$/s,
  gitea: /^\/(?<name>[^/]+\/[^/]+)(?:\/(?:src|raw)\/(?<refKind>branch|tag|commit)\/(?<rest>.+)|\/.*)?$/,
  bitbucket: /^\/(?<name>[^/]+\/[^/]+)(?:\/(?:src|raw)\/(?<rest>.+)|\/.*)?$/,
}

/** Parses a path on a host. Null if it is no repository. */
function parsePath(kind: CodeHost['kind'], path: string): RepositoryAddress | null {
  const { name: given = '', rest = '', refKind = null } = PATHS[kind].exec(path)?.groups ?? {}
  const name = given.replace(/\.git$/, '')
  if (!REPOSITORY_NAME.test(name)) return null
  try {
    const parts = rest.split('/').filter(Boolean).map(decodeURIComponent)
    return parts.includes('..') ? null : { name, rest: parts, refKind }
  } catch {
    // A stray percent sign: no host generates such URLs.
    return null
  }
}
