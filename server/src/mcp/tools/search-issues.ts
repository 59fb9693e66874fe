import { z } from 'zod'
import {
  findMatchingIssues,
  listNewestIssues,
  type FoundIssue,
  bestAnswers,
  type Issue,
  type IssueComment,
} from '#documents/issues.ts'
import { stemsOf } from '#documents/term-overlap.ts'
import { excerpt } from '#documents/excerpt.ts'
import { addressAt } from '#documents/library-page.ts'
import { oneLine, paragraphs } from '../passages/format-citation.ts'
import { missingOutput, missingSource, sourceScope } from '../arguments/named-source.ts'
import { offsetOf, pagedAnswer, pagedOutput, placeIn, type EntryOf } from '../results/paged-answer.ts'
import { cursorArgument, optionalQueryArgument } from '../arguments/shared-arguments.ts'
import { defineReader } from '../definition/tool.ts'
import { ToolError } from '../definition/tool-result.ts'

const MAX_LABELS = 20
const BYTES_AN_ISSUE = 1_900

const input = z.object({
  query: optionalQueryArgument('A symptom, an error message or a subject. Left out, the newest come first'),
  state: z.enum(['open', 'closed', 'merged']).optional().describe('Only those in this state'),
  kind: z.enum(['issue', 'pull_request']).optional().describe('Only issues, or only pull requests'),
  labels: z.array(z.string()).optional().describe('Only those that have all of these labels, such as bug'),
  source: z.string().max(2_000).optional().describe('Only this repository: its id, label or address'),
  limit: z.int().min(1).max(20).default(5).describe('How many'),
  cursor: cursorArgument,
})

type Asked = Omit<z.output<typeof input>, 'cursor' | 'limit'>

const answer = z.object({ by: z.string(), maintainer: z.boolean(), at: z.string(), url: z.string(), text: z.string() })
/** Members of an issue in structured content. */
const issueResult = {
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

const output = pagedOutput({ query: z.string().nullable(), missing: missingOutput }, issueResult)

export const searchIssues = defineReader('search_issues', {
  input,
  output,
  async call(context, { cursor, limit, ...asked }, signal) {
    if ((asked.labels?.length ?? 0) > MAX_LABELS)
      throw new ToolError('arguments', `"labels" must be at most ${MAX_LABELS}.`)
    const scope = sourceScope(context.server, asked.source)
    if (!(await context.library.has(['issue'], scope))) {
      return missingSource(context, 'search_issues', {
        what: 'issues or pull requests',
        add: 'They are read with repositories of GitHub, GitLab, Gitea, Forgejo and Bitbucket: add one as a source of the type repo. search_docs searches what is there.',
        about: { query: asked.query ?? null },
      })
    }
    const paging = { tool: 'search_issues', asked, cursor, limit }
    const seen = new Set<string>()
    const listing = { scope, asked, wanted: offsetOf(paging) + limit + 1, seen }
    const found =
      asked.query === undefined
        ? await listNewestIssues(context, listing)
        : await findMatchingIssues(context, { ...listing, query: asked.query }, signal)
    const stems = stemsOf(asked.query ?? '')
    return pagedAnswer(context, paging, {
      bytes: Math.max(6_000, limit * BYTES_AN_ISSUE),
      entries: found.map((each) => issueEntry(each, stems)),
      nothing: nothingFits(asked, seen),
      about: { query: asked.query ?? null },
    })
  },
})

function nothingFits({ state, kind, labels, query }: Asked, seen: ReadonlySet<string>): string {
  const filters = [state && 'state', kind && 'kind', labels && labels.length > 0 && 'labels'].filter(Boolean)
  const known = labels && seen.size > 0 ? ` Labels here: ${oneLine([...seen].slice(0, 20).join(', '), 400)}.` : ''
  if (filters.length > 0) return `No issue fits. Try again without ${filters.join(', ')}.${known}`
  return query === undefined
    ? 'No issue could be read.'
    : 'No issue speaks of this. Try fewer or other words, or the exact error message.'
}

/** Characters shown of an issue, and of each comment. */
const OPENING = 600
const ANSWER = 900

/** An issue as a result, with the comments that fit the question best. */
function issueEntry({ page, issue }: FoundIssue, stems: ReadonlySet<string>): EntryOf<typeof issueResult> {
  const answers = bestAnswers(issue, stems)
  const { kind, number, state, reason, labels, openedAt, openedBy } = issue
  const facts = { kind, number, state, reason, labels, openedAt, openedBy, text: excerpt(issue.text, OPENING) }
  const said = answers.map((each) => `${nameOf(each)}, ${each.at}:\n\n${excerpt(each.text, ANSWER)}`)
  const more = issue.comments.length - answers.length
  return {
    ...placeIn(page, '', page.url),
    text: paragraphs(factsOf(issue), facts.text, ...said, more > 0 ? `(${more} more comments)` : ''),
    data: {
      ...facts,
      answers: answers.map(({ by, isMaintainer, at, section, text }) => {
        return { by, maintainer: isMaintainer, at, url: addressAt(page, section), text: excerpt(text, ANSWER) }
      }),
      comments: issue.comments.length,
      answered: answers[0]?.isMaintainer ?? false,
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
