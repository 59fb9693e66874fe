import type { SourceDocument, SourceKept, SourceOmission } from '#sources/source-document.ts'
import { type CodeHost, hostUrl } from '#sources/repository/open-repository.ts'
import { type DiscussionProblem, readRows, type ListCursor, type DiscussionDeps } from './read-rows.ts'
import {
  type Comment,
  CommentRow,
  type Issue,
  issueDocument,
  IssueRow,
  readRow,
  releaseDocument,
  ReleaseRow,
} from './discussion-documents.ts'

type Item = SourceDocument | SourceOmission | SourceKept
type DiscussionList = CodeHost['lists'][number]

/** Interval of full readings: lists of changes omit deleted and moved entries. */
const FULL_EVERY_MS = 30 * 24 * 60 * 60_000

/**
 * Reads releases, issues and pull requests of a repository with their comments, latest first. With the cursors of the
 * last reading (`known`), requests changes only and keeps the rest. Entries beyond the limits of a list are kept too. A
 * list that cannot be fetched becomes an omission. Returns the cursors for the next reading.
 */
export async function* readDiscussions(
  deps: DiscussionDeps,
  known: Readonly<Record<string, ListCursor>>,
): AsyncGenerator<Item, Record<string, ListCursor>> {
  const next: Record<string, ListCursor> = {}
  for (const list of deps.repository.host.lists) {
    const cursor = yield* readList(deps, list, known[list.name] ?? null)
    if (cursor) next[list.name] = cursor
  }
  return next
}

async function* readList(
  deps: DiscussionDeps,
  list: DiscussionList,
  known: ListCursor | null,
): AsyncGenerator<Item, ListCursor | null> {
  const { repository, limits, now } = deps
  const { host } = repository
  const isFull = known === null || now - known.fullAt > FULL_EVERY_MS
  const since = isFull ? null : known.since
  const address = list.url + (since === null ? '' : (list.since ?? ''))
  const read = await readRows(deps, {
    url: hostUrl(repository, address, since === null ? {} : { since }),
    pages: list.kind === 'Release' ? limits.releases : limits.issues,
    known,
  })
  const kept = list.prefixes.map((prefix) => ({ kind: 'kept' as const, prefix: hostUrl(repository, prefix) }))
  if (read === null) {
    yield* kept
    return known
  }
  const issues: Issue[] = []
  // Undocumented rows are skipped.
  for (const row of read.rows) {
    const release = list.kind === 'Release' ? readRow(ReleaseRow, host.release ?? {}, row) : null
    if (release) yield releaseDocument(release)
    const issue = list.kind === 'Release' ? null : readRow(IssueRow, host.issue ?? {}, row)
    if (issue) issues.push(issue)
  }
  const unsaid = yield* readIssues(deps, list, { issues, isFull })
  if (!read.isWhole || !isFull) yield* kept
  const failed = read.problem ?? unsaid
  if (failed) {
    yield { kind: 'failed', url: hostUrl(repository, list.site), reason: failed.reason, detail: failed.detail }
    // Keep the old cursor, so that the next reading requests the missed entries again.
    return known
  }
  const { etag, url } = read
  // Times of a host sort as text.
  const changes = [known?.since ?? null, ...issues.map(({ updatedAt }) => updatedAt)].filter((time) => time !== null)
  return { since: changes.toSorted().at(-1) ?? null, etag, url, fullAt: isFull ? now : known.fullAt }
}

async function* readIssues(
  deps: DiscussionDeps,
  list: DiscussionList,
  { issues, isFull }: { issues: readonly Issue[]; isFull: boolean },
): AsyncGenerator<SourceDocument, DiscussionProblem | null> {
  const reader = await openComments(deps, list, { issues, isFull })
  for (const issue of issues) {
    const { comments, isMissed } = await reader.of(issue)
    // Without its comments, a changed issue is worth less than its previous version.
    if (!isMissed || isFull) yield issueDocument(issue, list.kind, comments)
  }
  const problem = reader.problem()
  // Some hosts restrict comments of public issues to members; a retry would not help.
  return problem?.reason === 'forbidden' ? null : problem
}

/** Gives the comments on issues, and the first problem met. `isMissed` is set if a request for them failed. */
type CommentReader = {
  of: (issue: Issue) => Promise<{ comments: Comment[]; isMissed: boolean }>
  problem: () => DiscussionProblem | null
}

/**
 * Chooses how to read comments. Many issues: requests all recent comments of the repository at once. A few changed
 * issues (`isFull` is false): requests the comments of each, because the recent ones may not include them all.
 */
async function openComments(
  deps: DiscussionDeps,
  list: DiscussionList,
  { issues, isFull }: { issues: readonly Issue[]; isFull: boolean },
): Promise<CommentReader> {
  const talked = issues.filter((issue) => issue.comments !== 0).length
  const isFew = !isFull && talked <= deps.limits.comments
  if (list.allComments === undefined || talked === 0 || isFew) return askOneByOne(deps, list.comments ?? '')
  const url = hostUrl(deps.repository, list.allComments)
  const read = await readRows(deps, { url, pages: deps.limits.comments })
  const byIssue = Map.groupBy(parseComments(deps, read?.rows), ({ of }) => /\/issues\/(\d+)$/.exec(of ?? '')?.[1])
  return {
    of: async ({ number }) => ({ comments: byIssue.get(String(number)) ?? [], isMissed: false }),
    problem: () => read?.problem ?? null,
  }
}

/** Stops at the first problem, or after as many requests as reading all at once would take. */
function askOneByOne(deps: DiscussionDeps, template: string): CommentReader {
  const { repository, limits } = deps
  let left = limits.comments * (repository.host.pageRows / 20)
  let problem: DiscussionProblem | null = null
  return {
    async of({ number, comments }) {
      if (problem || comments === 0 || left-- < 1) return { comments: [], isMissed: false }
      const read = await readRows(deps, { url: hostUrl(repository, template, { number: String(number) }), pages: 1 })
      problem = read?.problem ?? null
      return { comments: parseComments(deps, read?.rows), isMissed: problem !== null }
    },
    problem: () => problem,
  }
}

function parseComments({ repository: { host } }: DiscussionDeps, rows: readonly unknown[] = []): Comment[] {
  return rows.flatMap((row) => readRow(CommentRow, host.comment ?? {}, row) ?? [])
}
