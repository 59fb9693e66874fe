import { GiveUp } from '#jobs/lease.ts'
import type { NetClient } from '#net/client.ts'
import { type Reading, UNPACK, parseInChild } from '#readers/parse-in-child.ts'
import { paceRequests } from '#crawl/pace-requests.ts'
import { TEXT_FORMAT } from '#readers/text-hash.ts'
import { readDiscussions } from '#sources/repository/issues/read-discussions.ts'
import { type DiscussionLimits, type ReadingCursor, parseCursor } from './issues/read-rows.ts'
import { freeBytes } from '#lib/limits/byte-budget.ts'
import type { RepositoryFile } from '#extract/repository/repository-file.ts'
import { newestAsked, newestReleases } from '#lib/text/version.ts'
import { killSentence } from '#workers/kill-reason.ts'
import { RepositoryProcess } from '#readers/repository-process.ts'
import { fetchArchive, findCommit, listTags } from './fetch-archive.ts'
import { openGit } from './open-git.ts'
import {
  hostUrl,
  NO_REPOSITORY,
  type OpenRepository,
  type Repository,
  openRepository,
  type RepositoryFiles,
  type RepositoryState,
} from './open-repository.ts'
import type {
  SourceItem,
  SourceReader,
  SourceToRead,
  SourceDocument,
  SourceFile,
  SourceOmission,
} from '../source-document.ts'
import { type Surroundings, readLocalFile, tellOmissions } from '../read-local-file.ts'

export type RepositoryOptions = {
  /** URL of GitHub's REST API, without a trailing slash. */
  githubApiUrl: string
  /** Version of the service: another version may produce other documents from the same files. */
  version: string
  /** Returns the token of the account linked for a host (`URL.host`), or null for anonymous requests. */
  tokenFor?: (source: SourceToRead, host: string) => Promise<string | null>
}

/** A tag with its message. */
const MAX_TAG_BYTES = 1 << 20

/** With a token GitHub allows 5,000 requests an hour. Without, it and Bitbucket allow 60 for all sources. */
const MUCH: DiscussionLimits = { releases: 3, issues: 10, comments: 20 }
const LITTLE: DiscussionLimits = { releases: 1, issues: 2, comments: 3 }

/**
 * Reads repositories of GitHub, GitLab, Gitea, Forgejo and Bitbucket from an archive, and of any other git host from a
 * pack; neither is unpacked to disk. Yields documentation and code, then releases, issues and pull requests as far as
 * the host offers them. Skips the files if the commit is unchanged, and requests only changed issues.
 */
export function createRepositoryReader({ githubApiUrl, version, tokenFor }: RepositoryOptions): SourceReader {
  return async function* (deps, source) {
    const { fetch } = paceRequests(deps)
    const by = `${version} ${TEXT_FORMAT}`
    const known = parseCursor(source.cursor ?? null, by)
    const token = (await tokenFor?.(source, new URL(source.url).host)) ?? null
    const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
    const knownBranch = known.files?.ref ?? null
    const repository = await openRepository({ fetch, githubApiUrl, headers, knownBranch }, source.url)
    const open = repository ? await openAtHost({ fetch, repository, headers }) : await openGit({ fetch }, source.url)
    if (open === null) throw new GiveUp(NO_REPOSITORY)
    const { found } = open
    const files = yield* readFiles(found, known.files, deps)
    const next: ReadingCursor = { by, files, versions: {}, talk: {} }
    for (const version of await namesOf(open, source.versions)) {
      const state = await findVersion(open, version, source.url)
      if ('kind' in state) yield state
      else next.versions[version] = yield* readFiles(state, known.versions[version] ?? null, deps)
    }
    // A source that names part of a repository means its files only.
    if (repository && found.path === '') {
      const isLittle = token === null && (repository.host.kind === 'github' || repository.host.kind === 'bitbucket')
      const limits = isLittle ? LITTLE : MUCH
      next.talk = yield* readDiscussions({ fetch, repository, headers, limits, now: Date.now() }, known.talk)
    }
    yield { kind: 'cursor', value: JSON.stringify(next) }
  }
}

async function* readFiles(
  { commit, ref, path, fetch }: RepositoryState,
  known: ReadingCursor['files'],
  reading: Reading,
): AsyncGenerator<SourceItem, ReadingCursor['files']> {
  if (known && commit !== null && known.commit === commit && known.ref === ref && known.path === path) {
    for (const prefix of known.prefixes) yield { kind: 'kept', prefix }
    return known
  }
  const files = await fetch()
  const { prefixes, scope } = files
  yield* readRepositoryFiles(files, reading)
  // The resolved commit can differ from that of the archive, so store it only if the archive was requested by commit.
  return commit === null ? null : { commit, ref, path: scope, prefixes }
}

type Hosted = { fetch: NetClient['fetch']; repository: OpenRepository; headers: Record<string, string> }

/** Names of the tags and branches to read. Those that `newest:3` stands for are listed by the host. */
async function namesOf({ listTags }: Repository, versions = '[]'): Promise<Set<string>> {
  const asked = JSON.parse(versions) as string[]
  const tags = asked.some((each) => newestAsked(each) !== null) ? await listTags() : []
  return new Set(
    asked.flatMap((each) => {
      const newest = newestReleases(tags, newestAsked(each) ?? 0)
      return newest.length > 0 ? newest : each
    }),
  )
}

async function findVersion(
  repository: Repository,
  version: string,
  url: string,
): Promise<RepositoryState | SourceOmission> {
  try {
    return await repository.findVersion(version)
  } catch (error) {
    if (!(error instanceof GiveUp)) throw error
    const missing = `${url.replace(/\/$/, '')}/tree/${version}`
    return { kind: 'failed', url: missing, reason: 'not_found', detail: error.message }
  }
}

async function openAtHost({ fetch, repository, headers }: Hosted): Promise<Repository> {
  const found = await findAtHost(fetch, repository, headers)
  return {
    found,
    listTags: () => listTags(fetch, repository, headers),
    async findVersion(ref) {
      const refKind = (await isTag({ fetch, repository, headers }, ref)) ? 'tag' : 'branch'
      return findAtHost(fetch, { ...repository, choices: [{ ref, refKind, path: found.path }] }, headers)
    },
  }
}

/** True for a tag, at hosts whose addresses of tags differ from those of branches. */
async function isTag({ fetch, repository, headers }: Hosted, ref: string): Promise<boolean> {
  const address = repository.host.tag
  if (address === undefined) return false
  return (await fetch(hostUrl(repository, address, { ref }), { headers, maxBytes: MAX_TAG_BYTES })).status === 200
}

async function findAtHost(
  fetch: NetClient['fetch'],
  repository: OpenRepository,
  headers: Record<string, string>,
): Promise<RepositoryState> {
  const { host, choices } = repository
  const named = await findCommit(fetch, repository, headers)
  // Without a commit, the archive request shows which choice exists.
  const archive = named ? null : await fetchArchive(fetch, repository, headers)
  const choice = named?.choice ?? archive?.choice ?? choices[0]
  if (!choice) throw new GiveUp('The address names no branch, tag or commit.')
  const { ref, refKind, path: scope } = choice
  const commit = named?.commit ?? null
  const pageUrl = (path: string, isFolder = false) =>
    hostUrl(repository, isFolder ? host.folder : host.file, { ref, refKind: refKind ?? 'branch', path })
  return {
    commit,
    ref,
    path: scope,
    async fetch() {
      const { bytes, encoding, release } =
        archive ?? (await fetchArchive(fetch, { ...repository, choices: [choice] }, headers, { commit }))
      const lineAnchor = (line: number) => host.line.replace('{line}', String(line))
      const prefixes = [...new Set([pageUrl(''), pageUrl('', true)])]
      return { bytes, encoding, release, commit: null, scope, pageUrl, lineAnchor, prefixes }
    },
  }
}

/** Reads documentation and code in a child process, the most useful files first. Throws `GiveUp`. */
export async function* readRepositoryFiles(
  { bytes, encoding, release, commit, scope, pageUrl, lineAnchor }: RepositoryFiles,
  { signal, memory, onFault }: Reading,
): AsyncGenerator<SourceDocument | SourceFile | SourceOmission> {
  const reading = { signal, memory, onFault }
  const task = { name: 'unpack', input: { size: bytes.byteLength, encoding, scope, commit } } as const
  const unpacked = await parseInChild(task, UNPACK, { ...reading, payload: bytes })
  freeBytes(bytes)
  release?.()
  if (unpacked.kind === 'killed') {
    throw new GiveUp(killSentence("Reading the repository's archive", unpacked))
  }
  if (unpacked.value.kind === 'rejected') throw new GiveUp(unpacked.value.detail)
  const { files, parts, omissions } = unpacked.value
  if (files.length === 0 && omissions.length === 0) {
    throw new GiveUp(scope === '' ? 'The repository is empty.' : `The repository has nothing at "${scope}".`)
  }
  await using child = new RepositoryProcess(reading)
  const around: Surroundings = {
    ...reading,
    child,
    parts,
    lineAnchor,
    omitted: [...omissions],
    described: new Set(),
  }
  for (const file of files.sort(byInterest)) yield* readLocalFile(file, pageUrl(file.path), around)
  yield* tellOmissions(around, pageUrl)
}

/** Sorts the most useful files first, so that they are searchable while the rest is being read. */
function byInterest(a: RepositoryFile, b: RepositoryFile): number {
  return rank(a) - rank(b) || (a.path < b.path ? -1 : 1)
}

function rank({ kind, path }: RepositoryFile): number {
  if (/^readme\b[^/]*$/i.test(path)) return 0
  if (kind === 'code') return 3
  return kind === 'licence' || kind === 'text' ? 2 : 1
}
