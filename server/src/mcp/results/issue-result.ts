import { z } from 'zod'
import { excerpt } from '#library/excerpt.ts'
import { type FoundIssue, bestAnswers } from '#library/issues/find-issues.ts'
import type { Issue, IssueComment } from '#library/issues/read-issue.ts'
import { addressAt } from '#library/library-page.ts'
import { oneLine } from '#mcp/passages/frame.ts'
import type { Entry } from './paged-answer.ts'

/** Characters shown of an issue, and of each comment. */
const OPENING = 600
const ANSWER = 900

const answer = z.object({
  by: z.string(),
  maintainer: z.boolean(),
  at: z.string(),
  url: z.string(),
  text: z.string(),
})
/** Members of an issue in structured content. */
export const issueResult = {
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

/** An issue as a result, with the comments that fit the question best. */
export function issueEntry(
  { page, issue }: FoundIssue,
  stems: ReadonlySet<string>,
): Entry<z.output<z.ZodObject<typeof issueResult>>> {
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
