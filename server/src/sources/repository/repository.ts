import { GiveUp } from '#jobs/errors.ts'
import type { NetClient } from '#net/client.ts'
import type { Reading } from '#processes/parse-in-child.ts'
import { paceRequests } from '#crawl/pace-requests.ts'
import { TEXT_FORMAT } from '#processes/text-hash.ts'
import { fetchArchive } from './fetch-archive.ts'
import { findCommit } from './find-commit.ts'
import { type OpenGit, openGit } from './open-git.ts'
import { NO_REPOSITORY, type OpenRepository, openRepository } from './open-repository.ts'
import { readDiscussions } from '#sources/repository/issues/read-discussions.ts'
import type { DiscussionLimits } from '#sources/repository/issues/discussion-list.ts'
import { type ReadingCursor, parseCursor } from './issues/reading-cursor.ts'
import { type RepositoryFiles, readRepositoryFiles } from './repository-files.ts'
import type { SourceItem, SourceReader, SourceToRead } from '../source-document.ts'
import { discussionHostOf } from '#sources/repository/issues/discussion-host.ts'

export type RepositoryOptions = {
  /** URL of GitHub's REST API, without a trailing slash. */
  githubApiUrl: string
  /** Version of the service: another version may produce other documents from the same files. */
  version: string
  /** Returns the token of the account linked for a host (`URL.host`), or null for anonymous requests. */
  tokenFor?: (source: SourceToRead, host: string) => Promise<string | null>
  /** Limits for issues, releases and comments. */
  talk?: Partial<DiscussionLimits>
}

/**
 * GitHub allows 5,000 requests an hour with a token. Without one, GitHub and Bitbucket allow 60, shared by all sources.
 */
const MUCH: DiscussionLimits = { releases: 3, issues: 10, comments: 20 }
const LITTLE: DiscussionLimits = { releases: 1, issues: 2, comments: 3 }

/** One state of a repository's files, not fetched yet. */
type Found = {
  /** Null if the host does not tell it in advance. */
  commit: string | null
  ref: string
  path: string
  fetch: () => Promise<RepositoryFiles & { prefixes: string[] }>
}

/**
 * Reads repositories of GitHub, GitLab, Gitea, Forgejo and Bitbucket from an archive, and of any other git host from a
 * pack; neither is unpacked to disk. Yields documentation and code, then releases, issues and pull requests as far as
 * the host offers them. Skips the files if the commit is unchanged, and requests only changed issues.
 */
export function createRepositoryReader({ githubApiUrl, version, tokenFor, talk }: RepositoryOptions): SourceReader {
  return async function* (deps, source) {
    const { fetch } = paceRequests(deps)
    const by = `${version} ${TEXT_FORMAT}`
    const known = parseCursor(source.cursor ?? null, by)
    const token = (await tokenFor?.(source, new URL(source.url).host)) ?? null
    const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
    const knownBranch = known.files?.ref ?? null
    const repository = await openRepository({ fetch, githubApiUrl, headers, knownBranch }, source.url)
    const found = repository
      ? await findAtHost(fetch, repository, headers)
      : findInGit(await openGitOrGiveUp(fetch, source.url))
    const files = yield* readFiles(found, known.files, deps)
    const next: ReadingCursor = { by, files, talk: {} }
    // A source that names part of a repository means its files only.
    if (repository && found.path === '') {
      const host = discussionHostOf(repository, { githubApiUrl, headers })
      const isLittle = token === null && (repository.host.kind === 'github' || repository.host.kind === 'bitbucket')
      const limits = { ...(isLittle ? LITTLE : MUCH), ...talk }
      next.talk = yield* readDiscussions({ fetch, host, limits, now: Date.now() }, known.talk)
    }
    yield { kind: 'cursor', value: JSON.stringify(next) }
  }
}

async function* readFiles(
  { commit, ref, path, fetch }: Found,
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

async function findAtHost(
  fetch: NetClient['fetch'],
  repository: OpenRepository,
  headers: Record<string, string>,
): Promise<Found> {
  const { host, name, choices } = repository
  const named = await findCommit(fetch, repository, headers)
  const archive = named
    ? null
    : // The archive request shows which choice exists.
      await fetchArchive(fetch, repository, headers)
  const choice = named?.choice ?? archive?.choice ?? choices[0]
  if (!choice) throw new GiveUp('The address names no branch, tag or commit.')
  const pageUrl = (path: string, isFolder = false) => host.pageUrl(name, { ...choice, path, isFolder })
  return {
    commit: named?.commit ?? null,
    ref: choice.ref,
    path: choice.path,
    async fetch() {
      const commit = named?.commit ?? null
      const { bytes, encoding, release } =
        archive ?? (await fetchArchive(fetch, { ...repository, choices: [choice] }, headers, { commit }))
      const prefixes = [...new Set([pageUrl(''), pageUrl('', true)])]
      return {
        bytes,
        encoding,
        release,
        commit: null,
        scope: choice.path,
        pageUrl,
        lineAnchor: host.lineAnchor,
        prefixes,
      }
    },
  }
}

function findInGit({ commit, ref, path, fetchPack, pages }: OpenGit): Found {
  return {
    commit,
    ref,
    path,
    async fetch() {
      const bytes = await fetchPack()
      const { prefix, pageUrl, lineAnchor } = await pages()
      return {
        bytes,
        encoding: '',
        commit,
        scope: path,
        pageUrl: (file) => pageUrl(ref, file),
        lineAnchor,
        prefixes: [prefix],
      }
    },
  }
}

async function openGitOrGiveUp(fetch: NetClient['fetch'], url: string): Promise<OpenGit> {
  const git = await openGit({ fetch, headers: {} }, url)
  if (git) return git
  throw new GiveUp(NO_REPOSITORY)
}
