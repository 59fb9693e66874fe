import { z } from 'zod'
import type { Comment, Issue, Release } from './discussion-documents.ts'
import type { DiscussionList } from './discussion-list.ts'

const PageUrl = z.url({ protocol: /^https?$/ })
const Author = z.object({ username: z.string() }).nullish()

const ReleaseRow = z
  .object({
    tag_name: z.string(),
    name: z.string().nullish(),
    description: z.string().nullish(),
    released_at: z.string().nullish(),
    upcoming_release: z.boolean().nullish(),
    _links: z.object({ self: PageUrl }),
  })
  .transform((row): Release => ({
    url: row._links.self,
    tag: row.tag_name,
    name: row.name ?? null,
    text: row.description ?? null,
    isPrerelease: row.upcoming_release ?? false,
    publishedAt: row.released_at ?? null,
  }))

const issueRow = (kind: 'Issue' | 'Merge request') =>
  z
    .object({
      web_url: PageUrl,
      iid: z.number().int(),
      title: z.string(),
      description: z.string().nullish(),
      state: z.string(),
      labels: z.array(z.string()).nullish(),
      author: Author,
      created_at: z.string(),
      updated_at: z.string().nullish(),
      user_notes_count: z.number().nullish(),
    })
    .transform((row): Issue => ({
      url: row.web_url,
      kind,
      number: row.iid,
      title: row.title,
      text: row.description ?? null,
      state: row.state === 'opened' ? 'open' : row.state,
      labels: row.labels ?? [],
      author: row.author?.username ?? null,
      byMaintainer: false,
      createdAt: row.created_at,
      updatedAt: row.updated_at ?? null,
      comments: row.user_notes_count ?? null,
    }))

/** System notes record changes such as new labels, so they are dropped. */
const NoteRow = z
  .object({ body: z.string().nullish(), author: Author, created_at: z.string(), system: z.boolean().nullish() })
  .transform((row): (Comment & { of: null }) | null =>
    row.system
      ? null
      : {
          text: row.body ?? null,
          author: row.author?.username ?? null,
          byMaintainer: false,
          createdAt: row.created_at,
          of: null,
        },
  )

/** Lists releases, issues and merge requests of a GitLab project. */
export function gitlabDiscussions(origin: string, name: string): DiscussionList[] {
  const base = `${origin}/api/v4/projects/${encodeURIComponent(name)}`
  const site = `${origin}/${name}/-`
  const changed = (list: string, kind: 'Issue' | 'Merge request'): DiscussionList => ({
    name: list,
    site: `${site}/${list}`,
    // GitLab is moving issues to work items.
    prefixes: list === 'issues' ? [`${site}/issues/`, `${site}/work_items/`] : [`${site}/${list}/`],
    url: (since) =>
      `${base}/${list}?scope=all&state=all&order_by=updated_at&sort=desc${since ? `&updated_after=${encodeURIComponent(since)}` : ''}`,
    rows: { kind: 'issue', schema: issueRow(kind) },
    comments: { schema: NoteRow, of: ({ number }) => `${base}/${list}/${number}/notes?sort=asc` },
  })
  return [
    {
      name: 'releases',
      site: `${site}/releases`,
      prefixes: [`${site}/releases/`],
      url: () => `${base}/releases`,
      rows: { kind: 'release', schema: ReleaseRow },
    },
    changed('issues', 'Issue'),
    changed('merge_requests', 'Merge request'),
  ]
}
