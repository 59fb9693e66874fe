import { z } from 'zod'
import type { Comment, Issue, Release } from './discussion-documents.ts'
import type { DiscussionList } from './read-rows.ts'

const User = z.object({ login: z.string(), type: z.string().nullish() }).nullish()
/** The author's role as reported by GitHub: `OWNER`, `MEMBER`, `CONTRIBUTOR`, `NONE` and others. */
const Association = z.string().nullish()
const MAINTAINERS = new Set(['OWNER', 'MEMBER', 'COLLABORATOR'])
const PageUrl = z.url({ protocol: /^https?$/ })

/** Gitea and Forgejo copy the response shapes of GitHub's API, but may omit fields. */
const ReleaseRow = z
  .object({
    html_url: PageUrl,
    tag_name: z.string(),
    name: z.string().nullish(),
    body: z.string().nullish(),
    draft: z.boolean(),
    prerelease: z.boolean(),
    published_at: z.string().nullish(),
  })
  .transform((row): Release | null =>
    row.draft
      ? null
      : {
          url: row.html_url,
          tag: row.tag_name,
          name: row.name ?? null,
          text: row.body ?? null,
          isPrerelease: row.prerelease,
          publishedAt: row.published_at ?? null,
        },
  )

const IssueRow = z
  .object({
    html_url: PageUrl,
    number: z.number().int(),
    title: z.string(),
    body: z.string().nullish(),
    state: z.string(),
    state_reason: z.string().nullish(),
    labels: z.array(z.union([z.string(), z.object({ name: z.string().nullish() })])).nullish(),
    user: User,
    author_association: Association,
    created_at: z.string(),
    updated_at: z.string().nullish(),
    comments: z.number().nullish(),
    pull_request: z.object({ merged_at: z.string().nullish() }).nullish(),
  })
  .transform((row): Issue => ({
    url: row.html_url,
    kind: row.pull_request ? 'Pull request' : 'Issue',
    number: row.number,
    title: row.title,
    text: row.body ?? null,
    state: stateOf(row.state, row.state_reason ?? null, row.pull_request?.merged_at ?? null),
    labels: (row.labels ?? []).map((one) => (typeof one === 'string' ? one : (one.name ?? ''))).filter(Boolean),
    author: row.user?.login ?? null,
    byMaintainer: MAINTAINERS.has(row.author_association ?? ''),
    createdAt: row.created_at,
    updatedAt: row.updated_at ?? null,
    comments: row.comments ?? null,
  }))

const CommentRow = z
  .object({
    issue_url: z.string().nullish(),
    body: z.string().nullish(),
    user: User,
    author_association: Association,
    created_at: z.string(),
  })
  .transform((row): (Comment & { of: number | null }) | null => {
    if (row.user?.type === 'Bot') return null
    const of = /\/issues\/(\d+)$/.exec(row.issue_url ?? '')?.[1]
    const byMaintainer = MAINTAINERS.has(row.author_association ?? '')
    const comment = { text: row.body ?? null, author: row.user?.login ?? null, createdAt: row.created_at }
    return { ...comment, byMaintainer, of: of === undefined ? null : Number(of) }
  })

/** Lists releases, issues and pull requests of a GitHub repository. `site` is its web URL. */
export function githubDiscussions(apiUrl: string, site: string, name: string): DiscussionList[] {
  const base = `${apiUrl}/repos/${name}`
  const latest = 'sort=updated&direction=desc'
  return [
    releases(base, site),
    {
      name: 'issues',
      site: `${site}/issues`,
      prefixes: [`${site}/issues/`, `${site}/pull/`],
      url: (since) => `${base}/issues?state=all&${latest}${since ? `&since=${encodeURIComponent(since)}` : ''}`,
      rows: { kind: 'issue', schema: IssueRow },
      comments: {
        schema: CommentRow,
        all: `${base}/issues/comments?${latest}`,
        of: ({ number }) => `${base}/issues/${number}/comments`,
      },
    },
  ]
}

/** Lists releases, issues and pull requests of a Gitea or Forgejo repository. */
export function giteaDiscussions(origin: string, name: string): DiscussionList[] {
  const base = `${origin}/api/v1/repos/${name}`
  const site = `${origin}/${name}`
  return [
    releases(base, site),
    {
      name: 'issues',
      site: `${site}/issues`,
      prefixes: [`${site}/issues/`, `${site}/pulls/`],
      url: (since) => `${base}/issues?state=all${since ? `&since=${encodeURIComponent(since)}` : ''}`,
      rows: { kind: 'issue', schema: IssueRow },
      comments: { schema: CommentRow, of: ({ number }) => `${base}/issues/${number}/comments` },
    },
  ]
}

function stateOf(state: string, reason: string | null, mergedAt: string | null): string {
  if (mergedAt) return 'merged'
  return reason && reason !== 'reopened' ? `${state} (${reason.replaceAll('_', ' ')})` : state
}

/** Lists releases; the APIs of GitHub and Gitea are alike here. */
function releases(base: string, site: string): DiscussionList {
  return {
    name: 'releases',
    site: `${site}/releases`,
    prefixes: [`${site}/releases/tag/`],
    url: () => `${base}/releases`,
    rows: { kind: 'release', schema: ReleaseRow },
  }
}
