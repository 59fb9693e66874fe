import { type DiscussionProblem, readRows } from './read-rows.ts'
import type { DiscussionDeps, DiscussionList } from './discussion-list.ts'
import type { Comment, Issue } from './discussion-documents.ts'

type Comments = NonNullable<DiscussionList['comments']>

/** Comments on an issue. `isMissed` is set if a request for them failed. */
type Said = { comments: Comment[]; isMissed: boolean }

/** Gives the comments on issues, and the first problem met. */
export type CommentReader = { of: (issue: Issue) => Promise<Said>; problem: () => DiscussionProblem | null }

/**
 * Chooses how to read comments. Many issues: requests all recent comments of the repository at once. A few changed
 * issues (`isFull` is false): requests the comments of each, because the recent ones may not include them all.
 */
export async function openComments(
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
