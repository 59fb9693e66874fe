/** A repository as parsed from its URL. */
export type RepositoryAddress = {
  /** Owner and name, or groups and name, without slashes at the ends. */
  name: string
  /** Path after the marker of a tree or file: a branch, tag or commit, which may contain slashes, then a path. */
  rest: string[]
  /** Kind of the reference, if the host's URLs specify it. */
  refKind: 'branch' | 'tag' | 'commit' | null
}

/** URLs of one code host. Names are validated by the caller; references and paths are encoded here. */
export type RepositoryHost = {
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
