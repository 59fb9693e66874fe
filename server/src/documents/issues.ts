import { withoutSection } from '#lib/addresses/page-address.ts'
import type { OpenPage } from './library-page.ts'
import type { Library, Scope, Search } from './library.ts'
import { overlap } from './term-overlap.ts'
import type { Section } from './model/document.ts'

export type IssueComment = { by: string; isMaintainer: boolean; at: string; text: string; section: Section }

export type Issue = {
  kind: 'issue' | 'pull_request'
  number: number
  /** Title without number. */
  title: string
  state: 'open' | 'closed' | 'merged'
  /** For example `completed` or `not planned`; null if unknown. */
  reason: string | null
  /** ISO 8601 day. */
  openedAt: string
  openedBy: string | null
  labels: string[]
  /** Text by the author of the issue. */
  text: string
  comments: IssueComment[]
}

const FACTS =
  /^(Issue|Pull request|Merge request) [#!](\d+), ([\p{L} ]+?)(?: \(([^)\n]*)\))?, opened (\d{4}-\d{2}-\d{2})(.*)\.$/gmu
const LABELS = '. Labels: '
/** States of unfinished issues, as named by code hosts. */
const OPEN = new Set(['open', 'opened', 'reopened', 'new', 'on hold'])
const COMMENT = /^Comment by (.+?)( \(maintainer\))?, (\d{4}-\d{2}-\d{2})$/

/** Parses the page of an issue (made by `sources/repository/issues/discussion-documents.ts`). Null for any other page. */
export function readIssue({ markdown, title, sections }: OpenPage): Issue | null {
  const found = factsOf(markdown)
  if (!found) return null
  const { facts, by, labels } = found
  const [line, kind, number, said = '', reason, openedAt = ''] = facts
  const state = OPEN.has(said) ? 'open' : said === 'merged' ? 'merged' : 'closed'
  const starts = sections.filter(({ level, heading }) => level === 2 && COMMENT.test(heading))
  const comments = starts.map((section, index): IssueComment => {
    const [, author = '', maintainer, at = ''] = COMMENT.exec(section.heading) ?? []
    const text = markdown.slice(section.body, starts[index + 1]?.start).trim()
    return { by: author, isMaintainer: maintainer !== undefined, at, text, section }
  })
  return {
    kind: kind === 'Issue' ? 'issue' : 'pull_request',
    number: Number(number),
    title: title.replace(/ \((?:Issue|Pull request|Merge request) [#!]\d+\)$/, ''),
    state,
    // States such as `declined` or `wontfix` give the reason.
    reason: reason ?? (said === state || state === 'open' ? null : said),
    openedAt,
    openedBy: by || null,
    labels: labels?.split(', ') ?? [],
    text: markdown.slice(facts.index + line.length, starts[0]?.start).trim(),
    comments,
  }
}

/** Parses the line of facts, with the author of the issue and its labels. */
function factsOf(markdown: string) {
  for (const facts of markdown.matchAll(FACTS)) {
    const [said = '', labels] = (facts[6] ?? '').split(LABELS, 2)
    const by = said.replace(/ \(maintainer\)$/, '')
    if (by === '' || /^ by ./.test(by)) return { facts, by: by.slice(4), labels }
  }
  return null
}

/** Passages per search, and the number searched for matching issues. */
const BATCH = 50
const MOST_CANDIDATES = 400
/** Larger than any batch: passages only identify the issue. */
const BATCH_BYTES = 400_000
/** Score factor for issues with a maintainer's answer, which are more informative. */
const ANSWERED = 1.15
/** Comments shown of an issue. */
const ANSWERS = 2

type Deps = { library: Library; search: Search }

type IssueFilters = {
  state?: Issue['state'] | undefined
  kind?: Issue['kind'] | undefined
  /** Issues with all of these. */
  labels?: readonly string[] | undefined
}

type Listing = {
  scope: Scope
  asked: IssueFilters
  /** Number of issues to find. */
  wanted: number
  /** Receives the labels of all issues that are read. */
  seen: Set<string>
}

export type FoundIssue = { page: OpenPage; issue: Issue; score: number }

/** The newest issues that pass the filters. Issue numbers increase with time. */
export async function listNewestIssues(
  { library }: Pick<Deps, 'library'>,
  { scope, asked, wanted, seen }: Listing,
): Promise<FoundIssue[]> {
  const numberOf = (title: string) => Number(/(?<!\d)(\d+)\)$/.exec(title)?.[1] ?? 0)
  const all = await library.pagesOf(['issue'], scope)
  const newest = all.toSorted((a, b) => numberOf(b.title) - numberOf(a.title)).slice(0, MOST_CANDIDATES)
  const found: FoundIssue[] = []
  for (let from = 0; from < newest.length && found.length < wanted; from += BATCH) {
    found.push(...fitting(await library.open(newest.slice(from, from + BATCH)), { asked, seen, scoreOf: () => 1 }))
  }
  return found.toSorted((a, b) => (a.issue.openedAt < b.issue.openedAt ? 1 : -1))
}

/** Issues about the query that pass the filters, best first. */
export async function findMatchingIssues(
  { library, search }: Deps,
  { query, scope, asked, wanted, seen }: Listing & { query: string },
  signal: AbortSignal | undefined,
): Promise<FoundIssue[]> {
  const found: FoundIssue[] = []
  const taken = new Set<string>()
  let offset: number | null = 0
  while (offset !== null && offset < MOST_CANDIDATES && found.length < wanted) {
    const request = { query, ...scope, kinds: ['issue'] as const, limit: BATCH, offset, budget: BATCH_BYTES }
    const { passages, nextOffset } = await search(request, signal)
    const scores = new Map<string, number>()
    for (const { url, score } of passages) {
      const address = withoutSection(url)
      if (!taken.has(address)) scores.set(address, Math.max(score, scores.get(address) ?? 0))
    }
    for (const address of scores.keys()) taken.add(address)
    const opened = await library.open(await library.pagesAt([...scores.keys()], scope))
    found.push(...fitting(opened, { asked, seen, scoreOf: ({ url }) => scores.get(url) ?? 0 }))
    offset = nextOffset
  }
  const worth = ({ score, issue }: FoundIssue) =>
    score * (issue.comments.some((each) => each.isMaintainer) ? ANSWERED : 1)
  return found.toSorted((a, b) => worth(b) - worth(a))
}

type Fit = Pick<Listing, 'asked' | 'seen'> & { scoreOf: (page: OpenPage) => number }

function fitting(pages: readonly OpenPage[], { asked, seen, scoreOf }: Fit): FoundIssue[] {
  return pages.flatMap((page) => {
    const issue = readIssue(page)
    if (issue === null) return []
    for (const label of issue.labels) seen.add(label)
    const fits =
      (asked.state === undefined || issue.state === asked.state) &&
      (asked.kind === undefined || issue.kind === asked.kind) &&
      (asked.labels ?? []).every((label) => issue.labels.some((own) => hasLabel(own, label)))
    return fits ? [{ page, issue, score: scoreOf(page) }] : []
  })
}

/** `bug` matches `type: bug` but not `debug`. */
function hasLabel(own: string, asked: string): boolean {
  const words = (text: string) => ` ${(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `
  return words(own).includes(words(asked))
}

/** The best comments: maintainers first, then relevance to the question, then later comments, which know more. */
export function bestAnswers({ comments }: Issue, stems: ReadonlySet<string>): IssueComment[] {
  const rated = comments.map((comment, index) => ({
    comment,
    worth: (comment.isMaintainer ? 2 : 0) + overlap(stems, comment.text) + (0.2 * (index + 1)) / comments.length,
  }))
  const best = rated.toSorted((a, b) => b.worth - a.worth).slice(0, ANSWERS)
  return best.map(({ comment }) => comment)
}
