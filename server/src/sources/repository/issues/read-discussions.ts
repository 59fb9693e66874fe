import type { SourceDocument, SourceKept, SourceOmission } from '#sources/source-document.ts'
import {
  type DiscussionProblem,
  readRows,
  type ListCursor,
  type DiscussionDeps,
  type DiscussionList,
} from './read-rows.ts'
import { type Issue, issueDocument, releaseDocument, type Comment } from './discussion-documents.ts'

type Item = SourceDocument | SourceOmission | SourceKept

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
  for (const list of deps.host.lists) {
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
  const isFull = known === null || deps.now - known.fullAt > FULL_EVERY_MS
  const pages = list.rows.kind === 'release' ? deps.limits.releases : deps.limits.issues
  const read = await readRows(deps, { url: list.url(isFull ? null : known.since), pages, known })
  if (read === null) {
    yield* keep(list)
    return known
  }
  const issues: Issue[] = []
  for (const row of read.rows) {
    // Skip undocumented rows.
    const entry = list.rows.schema.safeParse(row).data
    if (!entry) continue
    if ('tag' in entry) yield releaseDocument(entry)
    else issues.push(entry)
  }
  const unsaid = yield* readIssues(deps, list, { issues, isFull })
  if (!read.isWhole || !isFull) yield* keep(list)
  const failed = read.problem ?? unsaid
  if (failed) {
    yield { kind: 'failed', url: list.site, reason: failed.reason, detail: failed.detail }
    // Keep the old cursor, so that the next reading requests the missed entries again.
    return known
  }
  const { etag, url } = read
  return { since: latestOf(issues, known?.since ?? null), etag, url, fullAt: isFull ? deps.now : known.fullAt }
}

function* keep({ prefixes }: DiscussionList): Generator<SourceKept> {
  for (const prefix of prefixes) yield { kind: 'kept', prefix }
}

async function* readIssues(
  deps: DiscussionDeps,
  list: DiscussionList,
  { issues, isFull }: { issues: readonly Issue[]; isFull: boolean },
): AsyncGenerator<SourceDocument, DiscussionProblem | null> {
  const reader = await openComments(deps, list.comments, { issues, isFull })
  for (const issue of issues) {
    const { comments, isMissed } = await reader.of(issue)
    // Without its comments, a changed issue is worth less than its previous version.
    if (!isMissed || isFull) yield issueDocument(issue, comments)
  }
  const problem = reader.problem()
  // Some hosts restrict comments of public issues to members; a retry would not help.
  return problem?.reason === 'forbidden' ? null : problem
}

/** Returns the time of the latest change, in the host's format. */
function latestOf(issues: readonly Issue[], since: string | null): string | null {
  let latest = since
  for (const { updatedAt } of issues) if (updatedAt && (latest === null || updatedAt > latest)) latest = updatedAt
  return latest
}

type Comments = NonNullable<DiscussionList['comments']>

/** Comments on an issue. `isMissed` is set if a request for them failed. */
type Said = { comments: Comment[]; isMissed: boolean }

/** Gives the comments on issues, and the first problem met. */
export type CommentReader = { of: (issue: Issue) => Promise<Said>; problem: () => DiscussionProblem | null }

/**
 * Chooses how to read comments. Many issues: requests all recent comments of the repository at once. A few changed
 * issues (`isFull` is false): requests the comments of each, because the recent ones may not include them all.
 */
async function openComments(
  deps: DiscussionDeps,
  comments: DiscussionList['comments'],
  { issues, isFull }: { issues: readonly Issue[]; isFull: boolean },
): Promise<CommentReader> {
  if (!comments) return { of: async () => ({ comments: [], isMissed: false }), problem: () => null }
  const talked = issues.filter((issue) => issue.comments !== 0).length
  const isFew = !isFull && talked <= deps.limits.comments
  return comments.all !== undefined && talked > 0 && !isFew
    ? readAllAtOnce(deps, comments, comments.all)
    : askOneByOne(deps, comments)
}

async function readAllAtOnce(deps: DiscussionDeps, comments: Comments, url: string): Promise<CommentReader> {
  const read = await readRows(deps, { url, pages: deps.limits.comments })
  const byIssue = Map.groupBy(parseRows(comments, read?.rows ?? []), (comment) => comment.of)
  return {
    of: async ({ number }) => ({ comments: byIssue.get(number) ?? [], isMissed: false }),
    problem: () => read?.problem ?? null,
  }
}

/** Stops at the first problem, or after as many requests as reading all at once would take. */
function askOneByOne(deps: DiscussionDeps, comments: Comments): CommentReader {
  let left = deps.limits.comments * (deps.host.paging.size / 20)
  let problem: DiscussionProblem | null = null
  return {
    async of(issue) {
      if (problem || issue.comments === 0 || left-- < 1) return { comments: [], isMissed: false }
      const read = await readRows(deps, { url: comments.of(issue), pages: 1 })
      problem = read?.problem ?? null
      return { comments: parseRows(comments, read?.rows ?? []), isMissed: problem !== null }
    },
    problem: () => problem,
  }
}

function parseRows({ schema }: Comments, rows: readonly unknown[]) {
  return rows.flatMap((row) => schema.safeParse(row).data ?? [])
}
