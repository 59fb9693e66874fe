import { openComments } from './read-comments.ts'
import { type DiscussionProblem, readRows } from './read-rows.ts'
import type { ListCursor } from './reading-cursor.ts'
import type { SourceDocument, SourceKept, SourceOmission } from '#sources/source-document.ts'
import type { DiscussionDeps, DiscussionList } from './discussion-list.ts'
import { type Issue, issueDocument, releaseDocument } from './discussion-documents.ts'

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
