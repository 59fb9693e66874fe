import { type TalkProblem, readRows } from './read-rows.ts'
import type { TalkDeps } from './talk-deps.ts'
import type { Comment, Issue } from './talk-documents.ts'
import type { TalkList } from './talk-list.ts'

type Comments = NonNullable<TalkList['comments']>

/** What was said about an issue. `isMissed` where it was to be asked for and could not be had. */
type Said = { comments: Comment[]; isMissed: boolean }

/** Tells what was said about issues, and what went wrong with it, if anything did. */
export type CommentReader = { of: (issue: Issue) => Promise<Said>; problem: () => TalkProblem | null }

/**
 * How comments are read for these issues. All that the host has at once, when there are many of them; of a few that have
 * changed (`isFull` is false) each is asked for all that was said, which the latest comments of all may not hold.
 */
export async function openComments(
  deps: TalkDeps,
  comments: TalkList['comments'],
  { issues, isFull }: { issues: readonly Issue[]; isFull: boolean },
): Promise<CommentReader> {
  if (!comments) return { of: async () => ({ comments: [], isMissed: false }), problem: () => null }
  const talked = issues.filter((issue) => issue.comments !== 0).length
  const isFew = !isFull && talked <= deps.limits.comments
  return comments.all !== undefined && talked > 0 && !isFew
    ? readAllAtOnce(deps, comments, comments.all)
    : askOneByOne(deps, comments)
}

async function readAllAtOnce(deps: TalkDeps, comments: Comments, url: string): Promise<CommentReader> {
  const read = await readRows(deps, { url, pages: deps.limits.comments })
  const byIssue = Map.groupBy(parseRows(comments, read?.rows ?? []), (comment) => comment.of)
  return {
    of: async ({ number }) => ({ comments: byIssue.get(number) ?? [], isMissed: false }),
    problem: () => read?.problem ?? null,
  }
}

/** Until something goes wrong, or as many requests were sent as all at once would have taken. */
function askOneByOne(deps: TalkDeps, comments: Comments): CommentReader {
  let left = deps.limits.comments * (deps.host.paging.size / 20)
  let problem: TalkProblem | null = null
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
