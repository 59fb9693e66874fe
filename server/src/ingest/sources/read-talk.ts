import { openComments } from './read-comments.ts'
import { type TalkProblem, readRows } from './read-rows.ts'
import type { ListCursor } from './reading-cursor.ts'
import type { SourceDocument, SourceKept, SourceOmission } from './source-document.ts'
import type { TalkDeps } from './talk-deps.ts'
import { type Issue, issueDocument, releaseDocument } from './talk-documents.ts'
import type { TalkList } from './talk-list.ts'

type Item = SourceDocument | SourceOmission | SourceKept

/** Whole lists are read again after this time: what was deleted or moved is in no list of changes. */
const FULL_EVERY_MS = 30 * 24 * 60 * 60_000

/**
 * Releases, issues and pull requests of a repository, the latest first, with what was said about them. With what the
 * last reading left (`known`), only what has changed since is asked for, and the rest is kept; so it is where a list is
 * longer than what is read of it, or cannot be had: that is an omission. Returns what the next reading goes on from.
 */
export async function* readTalk(
  deps: TalkDeps,
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
  deps: TalkDeps,
  list: TalkList,
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
    // A row that is not as documented is none of our business; the others are.
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
    // What was missed is asked for again.
    return known
  }
  const { etag, url } = read
  return { since: latestOf(issues, known?.since ?? null), etag, url, fullAt: isFull ? deps.now : known.fullAt }
}

function* keep({ prefixes }: TalkList): Generator<SourceKept> {
  for (const prefix of prefixes) yield { kind: 'kept', prefix }
}

async function* readIssues(
  deps: TalkDeps,
  list: TalkList,
  { issues, isFull }: { issues: readonly Issue[]; isFull: boolean },
): AsyncGenerator<SourceDocument, TalkProblem | null> {
  const reader = await openComments(deps, list.comments, { issues, isFull })
  for (const issue of issues) {
    const { comments, isMissed } = await reader.of(issue)
    // Without what was said about it, the issue of an earlier reading is worth more than this one.
    if (!isMissed || isFull) yield issueDocument(issue, comments)
  }
  const problem = reader.problem()
  // Some hosts show issues to everybody and what was said about them to members alone, which no other try changes.
  return problem?.reason === 'forbidden' ? null : problem
}

/** When the latest of the changes was made, as the host writes times. */
function latestOf(issues: readonly Issue[], since: string | null): string | null {
  let latest = since
  for (const { updatedAt } of issues) if (updatedAt && (latest === null || updatedAt > latest)) latest = updatedAt
  return latest
}
