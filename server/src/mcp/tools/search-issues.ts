import { withoutSection } from '#lib/addresses/page-address.ts'
import { builtInTool, kindsFor } from '@docent/contract/tools'
import { z } from 'zod'
import { excerpt } from '#library/excerpt.ts'
import { addressAt, type OpenPage } from '#library/library-page.ts'
import { type Issue, type IssueComment, readIssue } from '#library/read-issue.ts'
import { overlap, stemsOf } from '#library/term-overlap.ts'
import { oneLine } from '../frame.ts'
import { missingOutput, missingSource } from '../missing-source.ts'
import { namedSource } from '../named-source.ts'
import { type Entry, offsetOf, pagedAnswer, pagedOutput } from '../paged-answer.ts'
import { cursorArgument } from '../shared-arguments.ts'
import { defineTool, READ_ONLY } from '../tool.ts'
import type { ToolContext } from '../tool-context.ts'
import { ToolError } from '../tool-error.ts'

/** Passages per search, and the number searched for matching issues. */
const BATCH = 50
const MOST_CANDIDATES = 400
/** Larger than any batch: passages only identify the issue. */
const BATCH_BYTES = 400_000
/** Characters shown of an issue, and of each comment. */
const OPENING = 600
const ANSWER = 900
const ANSWERS = 2
const MAX_LABELS = 20
/** Score factor for issues with a maintainer's answer, which are more informative. */
const ANSWERED = 1.15
const BYTES_AN_ISSUE = 1_900

const input = z.object({
  query: z
    .string()
    .trim()
    .min(1)
    .max(4_000)
    .optional()
    .describe('A symptom, an error message or a subject. Left out, the newest come first'),
  state: z.enum(['open', 'closed', 'merged']).optional().describe('Only those in this state'),
  kind: z.enum(['issue', 'pull_request']).optional().describe('Only issues, or only pull requests'),
  labels: z.array(z.string()).optional().describe('Only those that have all of these labels, such as bug'),
  source: z.string().max(2_000).optional().describe('Only this repository: its id, label or address'),
  limit: z.int().min(1).max(20).default(5).describe('How many'),
  cursor: cursorArgument,
})

type Asked = Omit<z.output<typeof input>, 'cursor' | 'limit'>
type Found = { page: OpenPage; issue: Issue; score: number }

const answer = z.object({
  by: z.string(),
  maintainer: z.boolean(),
  at: z.string(),
  url: z.string(),
  text: z.string(),
})
const result = {
  kind: z.enum(['issue', 'pull_request']),
  number: z.int(),
  state: z.enum(['open', 'closed', 'merged']),
  reason: z.string().nullable().describe('Why it is closed, such as completed'),
  labels: z.array(z.string()),
  openedAt: z.string().describe('As 2026-01-31'),
  openedBy: z.string().nullable(),
  text: z.string(),
  answers: z.array(answer).describe('The best of its comments'),
  comments: z.int().describe('How many it has'),
  answered: z.boolean().describe('A maintainer answered'),
}
const output = pagedOutput({ query: z.string().nullable(), missing: missingOutput }, result)

export const searchIssues = defineTool<typeof input, typeof output, ToolContext>({
  ...builtInTool('search_issues'),
  annotations: READ_ONLY,
  input,
  output,
  async call(context, { cursor, limit, ...asked }, signal) {
    if ((asked.labels?.length ?? 0) > MAX_LABELS)
      throw new ToolError('arguments', `"labels" must be at most ${MAX_LABELS}.`)
    const sourceId = asked.source === undefined ? undefined : namedSource(context.server, asked.source).id
    const scope = sourceId === undefined ? {} : { sourceId }
    if (!(await context.library.has(['issue'], scope))) {
      return missingSource(
        context,
        {
          what: 'issues or pull requests',
          needs: kindsFor('search_issues'),
          add: 'They are read with repositories of GitHub, GitLab, Gitea, Forgejo and Bitbucket: add one as a source of the type repo. search_docs searches what is there.',
        },
        { query: asked.query ?? null },
      )
    }
    const paging = { tool: 'search_issues', asked, cursor, limit }
    const seen = new Set<string>()
    const found =
      asked.query === undefined
        ? await listNewest(context, { scope, asked, wanted: offsetOf(paging) + limit + 1, seen })
        : await findMatching(
            context,
            { query: asked.query, scope, asked, wanted: offsetOf(paging) + limit + 1, seen },
            signal,
          )
    const stems = stemsOf(asked.query ?? '')
    return pagedAnswer(context, {
      ...paging,
      bytes: Math.max(6_000, limit * BYTES_AN_ISSUE),
      entries: found.map((each) => entryOf(each, stems)),
      nothing: nothingFits(asked, seen),
      about: { query: asked.query ?? null },
    })
  },
})

type Listing = { scope: { sourceId?: string }; asked: Asked; wanted: number; seen: Set<string> }

/** Issue numbers increase with time. */
async function listNewest({ library }: ToolContext, { scope, asked, wanted, seen }: Listing): Promise<Found[]> {
  const numberOf = (title: string) => Number(/(?<!\d)(\d+)\)$/.exec(title)?.[1] ?? 0)
  const all = await library.pagesOf(['issue'], scope)
  const newest = all.toSorted((a, b) => numberOf(b.title) - numberOf(a.title)).slice(0, MOST_CANDIDATES)
  const found: Found[] = []
  for (let from = 0; from < newest.length && found.length < wanted; from += BATCH) {
    found.push(...fitting(await library.open(newest.slice(from, from + BATCH)), { asked, seen, scoreOf: () => 1 }))
  }
  return found.toSorted((a, b) => (a.issue.openedAt < b.issue.openedAt ? 1 : -1))
}

type Matching = Listing & { query: string }

async function findMatching(
  context: ToolContext,
  { query, scope, asked, wanted, seen }: Matching,
  signal: AbortSignal | undefined,
): Promise<Found[]> {
  const { library } = context
  const found: Found[] = []
  const taken = new Set<string>()
  let offset: number | null = 0
  while (offset !== null && offset < MOST_CANDIDATES && found.length < wanted) {
    const request = { query, ...scope, kinds: ['issue'] as const, limit: BATCH, offset, budget: BATCH_BYTES }
    const { passages, nextOffset } = await context.search(request, signal)
    const scores = new Map<string, number>()
    for (const { url, score } of passages) {
      const address = withoutSection(url)
      if (!taken.has(address)) scores.set(address, Math.max(score, scores.get(address) ?? 0))
    }
    for (const address of scores.keys()) taken.add(address)
    const pages = await Promise.all([...scores.keys()].map((address) => library.pageAt(address, scope)))
    const opened = await library.open(pages.filter((page) => page !== null))
    found.push(...fitting(opened, { asked, seen, scoreOf: ({ url }) => scores.get(url) ?? 0 }))
    offset = nextOffset
  }
  const worth = ({ score, issue }: Found) => score * (issue.comments.some((each) => each.isMaintainer) ? ANSWERED : 1)
  return found.toSorted((a, b) => worth(b) - worth(a))
}

type Fit = { asked: Asked; seen: Set<string>; scoreOf: (page: OpenPage) => number }

function fitting(pages: readonly OpenPage[], { asked, seen, scoreOf }: Fit): Found[] {
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
  const words = (text: string) =>
    ` ${text
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean)
      .join(' ')} `
  return words(own).includes(words(asked))
}

function entryOf({ page, issue }: Found, stems: ReadonlySet<string>): Entry<z.output<z.ZodObject<typeof result>>> {
  const answers = bestAnswers(issue, stems)
  const [first] = answers
  const facts = factsOf(issue)
  const said = answers.map((each) => `${nameOf(each)}, ${each.at}:\n\n${excerpt(each.text, ANSWER)}`)
  const more = issue.comments.length - answers.length
  return {
    title: page.title,
    heading: '',
    url: page.url,
    sourceId: page.sourceId,
    text: [facts, excerpt(issue.text, OPENING), ...said, more > 0 ? `(${more} more comments)` : '']
      .filter(Boolean)
      .join('\n\n'),
    data: {
      kind: issue.kind,
      number: issue.number,
      state: issue.state,
      reason: issue.reason,
      labels: issue.labels,
      openedAt: issue.openedAt,
      openedBy: issue.openedBy,
      text: excerpt(issue.text, OPENING),
      answers: answers.map((each) => ({
        by: each.by,
        maintainer: each.isMaintainer,
        at: each.at,
        url: addressAt(page, each.section),
        text: excerpt(each.text, ANSWER),
      })),
      comments: issue.comments.length,
      answered: first?.isMaintainer ?? false,
    },
  }
}

function factsOf({ state, reason, openedAt, openedBy, labels }: Issue): string {
  const how = reason === null ? state : `${state} (${reason})`
  const by = openedBy === null ? '' : ` by ${openedBy}`
  return oneLine(`${how}, opened ${openedAt}${by}${labels.length > 0 ? `. Labels: ${labels.join(', ')}` : ''}`, 300)
}

function nameOf({ by, isMaintainer }: IssueComment): string {
  return `**${oneLine(by, 80)}**${isMaintainer ? ' (maintainer)' : ''}`
}

/** Maintainers first, then relevance to the question, then later comments, which know more. */
function bestAnswers({ comments }: Issue, stems: ReadonlySet<string>): IssueComment[] {
  return comments
    .map((comment, index) => ({
      comment,
      worth: (comment.isMaintainer ? 2 : 0) + overlap(stems, comment.text) + (0.2 * (index + 1)) / comments.length,
    }))
    .toSorted((a, b) => b.worth - a.worth)
    .slice(0, ANSWERS)
    .map(({ comment }) => comment)
}

function nothingFits({ state, kind, labels, query }: Asked, seen: ReadonlySet<string>): string {
  const filters = [state && 'state', kind && 'kind', labels && labels.length > 0 && 'labels'].filter(Boolean)
  const known = labels && seen.size > 0 ? ` Labels here: ${oneLine([...seen].slice(0, 20).join(', '), 400)}.` : ''
  if (filters.length > 0) return `No issue fits. Try again without ${filters.join(', ')}.${known}`
  return query === undefined
    ? 'No issue could be read.'
    : 'No issue speaks of this. Try fewer or other words, or the exact error message.'
}
