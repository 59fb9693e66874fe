import type { NetClient } from '#net/client.ts'
import { type TalkAnswer, askForRows } from './ask-for-rows.ts'
import type { ListCursor } from './reading-cursor.ts'
import type { SourceDocument, SourceKept, SourceOmission } from './source-document.ts'
import { type Comment, type Issue, issueDocument, releaseDocument } from './talk-documents.ts'
import type { TalkHost, TalkList } from './talk-list.ts'

/** Pages that are asked for of each. */
export type TalkLimits = { releases: number; issues: number; comments: number }

type Deps = { fetch: NetClient['fetch']; host: TalkHost; limits: TalkLimits; now: number }

type Problem = Extract<TalkAnswer, { kind: 'problem' }>
type Item = SourceDocument | SourceOmission | SourceKept

/** Whole lists are read again after this time: what was deleted or moved is in no list of changes. */
const FULL_EVERY_MS = 30 * 24 * 60 * 60_000

/**
 * Releases, issues and pull requests of a repository, the latest first, with what was said about them. With what the
 * last reading left (`known`), only what has changed since is asked for, and the rest is kept; so it is where a list is
 * longer than what is read of it, or cannot be had: that is an omission. Returns what the next reading goes on from.
 */
export async function* readTalk(
  deps: Deps,
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
  deps: Deps,
  list: TalkList,
  known: ListCursor | null,
): AsyncGenerator<Item, ListCursor | null> {
  const isFull = known === null || deps.now - known.fullAt > FULL_EVERY_MS
  const since = isFull ? null : known.since
  const address = pageAddress(deps.host, list.url(since), 1)
  const pages = list.rows.kind === 'release' ? deps.limits.releases : deps.limits.issues
  let etag: string | null = null
  let latest = known?.since ?? null
  let problem: Problem | null = null
  let isWhole = false
  const issues: Issue[] = []
  for (let page = 1; page <= pages && !problem && !isWhole; page++) {
    const condition = page === 1 && known?.url === address ? known.etag : null
    const answer = await askForRows(deps, pageAddress(deps.host, list.url(since), page), condition)
    if (answer.kind === 'unchanged') {
      yield* keep(list)
      return known
    }
    if (answer.kind === 'problem') problem = answer
    else {
      if (page === 1) etag = answer.etag
      isWhole = answer.rows.length < deps.host.paging.size
      for (const row of answer.rows) {
        // A row that is not as documented is none of our business; the others are.
        const entry = list.rows.schema.safeParse(row).data
        if (!entry) continue
        if ('tag' in entry) yield releaseDocument(entry)
        else issues.push(entry)
      }
    }
  }
  const unsaid = yield* readIssues(deps, list, { issues, isFull })
  for (const { updatedAt } of issues) if (updatedAt && (latest === null || updatedAt > latest)) latest = updatedAt
  if (!isWhole || !isFull) yield* keep(list)
  const failed = problem ?? unsaid
  if (!failed) return { since: latest, etag, url: address, fullAt: isFull ? deps.now : known.fullAt }
  yield { kind: 'failed', url: list.site, reason: failed.reason, detail: failed.detail }
  // What was missed is asked for again.
  return known
}

function* keep({ prefixes }: TalkList): Generator<SourceKept> {
  for (const prefix of prefixes) yield { kind: 'kept', prefix }
}

async function* readIssues(
  deps: Deps,
  list: TalkList,
  { issues, isFull }: { issues: Issue[]; isFull: boolean },
): AsyncGenerator<SourceDocument, Problem | null> {
  const talked = issues.filter(({ comments }) => comments !== 0)
  // Of a few that have changed each is asked for all that was said, which the latest comments of all may not hold.
  const isFew = !isFull && talked.length <= deps.limits.comments
  const all = list.comments?.all !== undefined && talked.length > 0 && !isFew ? await readAll(deps, list) : null
  let problem = all?.problem ?? null
  let asked = 0
  for (const issue of issues) {
    let said = all?.comments.get(issue.number) ?? []
    const isAsked = !all && !problem && list.comments && issue.comments !== 0 && asked++ < mostAsked(deps)
    if (isAsked && list.comments) {
      const answer = await askForRows(deps, pageAddress(deps.host, list.comments.of(issue), 1), null)
      if (answer.kind === 'problem') problem = answer
      if (answer.kind === 'rows') said = readComments(list, answer.rows)
    }
    // Without what was said about it, the issue of an earlier reading is worth more than this one.
    if (!(isAsked && problem) || isFull) yield issueDocument(issue, said)
  }
  // Some hosts show issues to everybody and what was said about them to members alone, which no other try changes.
  return problem?.reason === 'forbidden' ? null : problem
}

/** Issues that are asked one by one for what was said about them: as many requests as for all at once. */
function mostAsked({ limits, host }: Deps): number {
  return limits.comments * (host.paging.size / 20)
}

type Said = Map<number, Comment[]>

async function readAll(deps: Deps, list: TalkList): Promise<{ comments: Said; problem: Problem | null }> {
  const comments: Said = new Map()
  for (let page = 1; page <= deps.limits.comments; page++) {
    const answer = await askForRows(deps, pageAddress(deps.host, list.comments?.all ?? '', page), null)
    if (answer.kind === 'problem') return { comments, problem: answer }
    if (answer.kind === 'unchanged') break
    for (const comment of readComments(list, answer.rows)) {
      if (comment.of !== null) comments.set(comment.of, [...(comments.get(comment.of) ?? []), comment])
    }
    if (answer.rows.length < deps.host.paging.size) break
  }
  return { comments, problem: null }
}

function readComments({ comments }: TalkList, rows: unknown[]) {
  return rows.flatMap((row) => comments?.schema.safeParse(row).data ?? [])
}

function pageAddress({ paging }: TalkHost, url: string, page: number): string {
  return `${url}${url.includes('?') ? '&' : '?'}${paging.query.replace('{page}', String(page))}`
}
