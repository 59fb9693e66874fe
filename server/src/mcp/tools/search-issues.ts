import { builtInTool, kindsFor } from '@docent/contract/values/tools'
import { z } from 'zod'
import { findMatchingIssues, listNewestIssues } from '#library/issues/find-issues.ts'
import { stemsOf } from '#library/term-overlap.ts'
import { oneLine } from '#mcp/passages/frame.ts'
import { missingOutput, missingSource, sourceScope } from '../arguments/named-source.ts'
import { offsetOf, pagedAnswer, pagedOutput } from '#mcp/results/paged-answer.ts'
import { issueEntry, issueResult } from '../results/issue-result.ts'
import { cursorArgument, optionalQueryArgument } from '#mcp/arguments/shared-arguments.ts'
import { defineTool, READ_ONLY, type ToolContext } from '#mcp/definition/tool.ts'
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

const output = pagedOutput({ query: z.string().nullable(), missing: missingOutput }, issueResult)

export const searchIssues = defineTool<typeof input, typeof output, ToolContext>({
  ...builtInTool('search_issues'),
  annotations: READ_ONLY,
  input,
  output,
  async call(context, { cursor, limit, ...asked }, signal) {
    if ((asked.labels?.length ?? 0) > MAX_LABELS)
      throw new ToolError('arguments', `"labels" must be at most ${MAX_LABELS}.`)
    const scope = sourceScope(context.server, asked.source)
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
    const listing = { scope, asked, wanted: offsetOf(paging) + limit + 1, seen }
    const found =
      asked.query === undefined
        ? await listNewestIssues(context, listing)
        : await findMatchingIssues(context, { ...listing, query: asked.query }, signal)
    const stems = stemsOf(asked.query ?? '')
    return pagedAnswer(context, {
      ...paging,
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
