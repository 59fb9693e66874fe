import { z } from 'zod'
import type { Comment, Issue } from './discussion-documents.ts'
import type { DiscussionList } from './discussion-list.ts'

const PageUrl = z.url({ protocol: /^https?$/ })
const Person = z.object({ display_name: z.string() }).nullish()
const Content = z.object({ raw: z.string().nullish() }).nullish()

const issueRow = (kind: 'Issue' | 'Pull request') =>
  z
    .object({
      id: z.number().int(),
      title: z.string(),
      links: z.object({ html: z.object({ href: PageUrl }) }),
      state: z.string(),
      kind: z.string().nullish(),
      content: Content,
      description: z.string().nullish(),
      reporter: Person,
      author: Person,
      created_on: z.string(),
      updated_on: z.string().nullish(),
      comment_count: z.number().nullish(),
    })
    .transform((row): Issue => ({
      url: row.links.html.href,
      kind,
      number: row.id,
      title: row.title,
      text: row.content?.raw ?? row.description ?? null,
      state: row.state.toLowerCase(),
      labels: row.kind ? [row.kind] : [],
      author: (row.reporter ?? row.author)?.display_name ?? null,
      byMaintainer: false,
      createdAt: row.created_on,
      updatedAt: row.updated_on ?? null,
      comments: row.comment_count ?? null,
    }))

const CommentRow = z
  .object({ content: Content, user: Person, created_on: z.string(), deleted: z.boolean().nullish() })
  .transform((row): (Comment & { of: null }) | null =>
    row.deleted
      ? null
      : {
          text: row.content?.raw ?? null,
          author: row.user?.display_name ?? null,
          byMaintainer: false,
          createdAt: row.created_on,
          of: null,
        },
  )

/** Lists issues and pull requests of a Bitbucket repository. Bitbucket has no releases. */
export function bitbucketDiscussions(name: string): DiscussionList[] {
  const base = `https://api.bitbucket.org/2.0/repositories/${name}`
  const site = `https://bitbucket.org/${name}`
  const changed = (list: string, kind: 'Issue' | 'Pull request', states: string): DiscussionList => ({
    name: list,
    site: `${site}/${list === 'issues' ? list : 'pull-requests'}`,
    prefixes: [`${site}/${list === 'issues' ? list : 'pull-requests'}/`],
    url: (since) =>
      `${base}/${list}?sort=-updated_on${states}${since ? `&q=${encodeURIComponent(`updated_on>=${since}`)}` : ''}`,
    rows: { kind: 'issue', schema: issueRow(kind) },
    comments: { schema: CommentRow, of: ({ number }) => `${base}/${list}/${number}/comments` },
  })
  return [
    changed('issues', 'Issue', ''),
    changed('pullrequests', 'Pull request', '&state=OPEN&state=MERGED&state=DECLINED'),
  ]
}
