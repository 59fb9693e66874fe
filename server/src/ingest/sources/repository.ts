import { GiveUp } from '#jobs/errors.ts'
import type { FileOmission, RepositoryFile } from '../extract/repository/repository-file.ts'
import { paceRequests } from '../pace-requests.ts'
import { RepositoryThread } from '../repository-thread.ts'
import { fetchArchive } from './fetch-archive.ts'
import { type GithubTalkLimits, readGithubTalk } from './github-talk.ts'
import { groupOmissions } from './omission-sentences.ts'
import { type OpenRepository, openRepository } from './open-repository.ts'
import type { ReaderDeps, SourceDocument, SourceOmission, SourceReader } from './source-document.ts'

type Options = {
  /** Of GitHub's REST API, without a trailing slash. */
  githubApiUrl: string
  /** The token of the account that is linked for a host (`URL.host`), or null to ask as anybody. */
  tokenFor?: (source: Parameters<SourceReader>[1], host: string) => Promise<string | null>
  /** How much of what people say about a repository is read. */
  talk?: Partial<GithubTalkLimits>
}

/**
 * Reads repositories of GitHub, GitLab, Gitea, Forgejo and Bitbucket: documentation and code from an archive that is
 * never unpacked to the disk, then releases, issues and pull requests where the host is GitHub.
 */
export function createRepositoryReader({ githubApiUrl, tokenFor, talk }: Options): SourceReader {
  return async function* (deps, source) {
    const { fetch } = paceRequests(deps)
    const token = (await tokenFor?.(source, new URL(source.url).host)) ?? null
    const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
    const repository = await openRepository({ fetch, githubApiUrl, headers }, source.url)
    const { bytes, choice } = await fetchArchive(fetch, repository, headers)
    const pageUrl = (path: string, isFolder = false) =>
      repository.host.pageUrl(repository.name, { ...choice, path, isFolder })
    yield* readArchive(deps, { bytes, scope: choice.path, pageUrl, lineAnchor: repository.host.lineAnchor })
    // Who asks for a part of a repository means its files.
    if (repository.isGithub && choice.path === '') {
      yield* readGithubTalk({ fetch, apiUrl: githubApiUrl, token }, repository.name, talk)
    }
  }
}

type Archive = {
  bytes: Uint8Array<ArrayBuffer>
  /** Only what is in this file or folder. */
  scope: string
  pageUrl: (path: string, isFolder?: boolean) => string
  lineAnchor: OpenRepository['host']['lineAnchor']
}

async function* readArchive(
  { signal }: Pick<ReaderDeps, 'signal'>,
  { bytes, scope, pageUrl, lineAnchor }: Archive,
): AsyncGenerator<SourceDocument | SourceOmission> {
  await using thread = new RepositoryThread(signal)
  const unpacked = await thread.run('unpack', { bytes, scope })
  if (unpacked.kind === 'killed')
    throw new GiveUp(`Reading the repository's archive took too much ${wordFor(unpacked.reason)}.`)
  if (unpacked.value.kind === 'rejected') throw new GiveUp(unpacked.value.detail)
  const { files, omissions } = unpacked.value
  if (files.length === 0 && omissions.length === 0) {
    throw new GiveUp(scope === '' ? 'The repository is empty.' : `The repository has nothing at "${scope}".`)
  }
  const omitted: FileOmission[] = [...omissions]
  for (const file of files.sort(byInterest)) {
    const { path } = file
    const url = pageUrl(path)
    const read = await thread.run('read', file)
    if (read.kind === 'killed') {
      const detail = `Reading the file took too much ${wordFor(read.reason)}.`
      yield { kind: 'failed', url, reason: 'too_slow_to_read', detail }
    } else if (read.value.kind === 'omitted') omitted.push({ path, isFolder: false, reason: read.value.reason })
    else {
      const { title, markdown, lines } = read.value.document
      const anchors = lines?.map(({ offset, line }) => ({ offset, anchor: lineAnchor(line) }))
      yield { kind: 'document', url, title, markdown, language: null, ...(anchors ? { anchors } : {}) }
    }
  }
  for (const { path, isFolder, reason, detail } of groupOmissions(omitted)) {
    yield { kind: 'skipped', url: pageUrl(path, isFolder), reason, detail }
  }
}

function wordFor(reason: 'timeout' | 'memory'): string {
  return reason === 'timeout' ? 'time' : 'memory'
}

/** What answers most questions comes first, so that it can be found while the rest is still being read. */
function byInterest(a: RepositoryFile, b: RepositoryFile): number {
  return rank(a) - rank(b) || (a.path < b.path ? -1 : 1)
}

function rank({ kind, path }: RepositoryFile): number {
  if (/^readme\b[^/]*$/i.test(path)) return 0
  if (kind === 'code') return 3
  return kind === 'licence' || kind === 'text' ? 2 : 1
}
