import { GiveUp } from '#jobs/errors.ts'
import type { NetClient } from '#net/client.ts'
import type { Reading } from '../parse-apart.ts'
import { paceRequests } from '../pace-requests.ts'
import { fetchArchive } from './fetch-archive.ts'
import { findCommit } from './find-commit.ts'
import { type OpenGit, openGit } from './open-git.ts'
import { NO_REPOSITORY, type OpenRepository, openRepository } from './open-repository.ts'
import { readTalk } from './read-talk.ts'
import type { TalkLimits } from './talk-deps.ts'
import { TEXT_FORMAT } from '../text-hash.ts'
import { type ReadingCursor, parseCursor } from './reading-cursor.ts'
import { type RepositoryFiles, readRepositoryFiles } from './repository-files.ts'
import type { SourceItem, SourceReader, SourceToRead } from './source-document.ts'
import { talkHostOf } from './talk-host.ts'

export type Options = {
  /** Of GitHub's REST API, without a trailing slash. */
  githubApiUrl: string
  /** Of the service: another one may make other documents of the same files. */
  version: string
  /** The token of the account that is linked for a host (`URL.host`), or null to ask as anybody. */
  tokenFor?: (source: SourceToRead, host: string) => Promise<string | null>
  /** How much of what people say about a repository is read. */
  talk?: Partial<TalkLimits>
}

/** With a token GitHub allows 5,000 requests an hour; without one, as Bitbucket, 60, which all sources share. */
const MUCH: TalkLimits = { releases: 3, issues: 10, comments: 20 }
const LITTLE: TalkLimits = { releases: 1, issues: 2, comments: 3 }

/** One state of the files of a repository, before they are fetched. */
type Found = {
  /** Null where the host does not say it beforehand. */
  commit: string | null
  ref: string
  path: string
  fetch: () => Promise<RepositoryFiles & { prefixes: string[] }>
}

/**
 * Reads repositories of GitHub, GitLab, Gitea, Forgejo and Bitbucket from an archive, and those of any other git host
 * from a pack, neither of which is ever unpacked to the disk: documentation and code; then releases, issues and pull
 * requests as far as the host gives them away. The commit is asked for first, and where it has not changed nothing is
 * fetched; of what people say only the changes are asked for.
 */
export function createRepositoryReader({ githubApiUrl, version, tokenFor, talk }: Options): SourceReader {
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
    // Who asks for a part of a repository means its files.
    if (repository && found.path === '') {
      const host = talkHostOf(repository, { githubApiUrl, headers })
      const isLittle = token === null && (repository.host.kind === 'github' || repository.host.kind === 'bitbucket')
      const limits = { ...(isLittle ? LITTLE : MUCH), ...talk }
      next.talk = yield* readTalk({ fetch, host, limits, now: Date.now() }, known.talk)
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
  // The host may have named the commit for one reading of the reference, and the archive chosen another.
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
    : // Which of the choices there is shows with the archive.
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
