import { z } from 'zod'
import type { OpenRepository } from '#sources/repository/open-repository.ts'
import { giteaDiscussions, githubDiscussions } from './github-discussions.ts'
import type { DiscussionHost, DiscussionList } from './read-rows.ts'
import type { Comment, Issue, Release } from './discussion-documents.ts'

type Asking = { githubApiUrl: string; headers: Record<string, string> }

/** Returns the issue and release lists of a repository, and how to request them. */
export function discussionHostOf({ host, name }: OpenRepository, { githubApiUrl, headers }: Asking): DiscussionHost {
  const { title } = host
  const origin = new URL(host.site(name)).origin
  const by: Record<typeof host.kind, () => DiscussionHost> = {
    github: () => ({
      title,
      lists: githubDiscussions(githubApiUrl, host.site(name), name),
      headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28', ...headers },
      paging: { query: 'per_page=100&page={page}', size: 100 },
      advice: '; a linked account may ask more',
    }),
    gitlab: () => {
      const paging = { query: 'per_page=100&page={page}', size: 100 }
      return { title, lists: gitlabDiscussions(origin, name), headers, paging, advice: '' }
    },
    // Gitea's default limit is 50 rows per page.
    gitea: () => {
      const paging = { query: 'limit=50&page={page}', size: 50 }
      return { title, lists: giteaDiscussions(origin, name), headers, paging, advice: '' }
    },
    bitbucket: () => {
      const paging = { query: 'pagelen=50&page={page}', size: 50 }
      return { title, lists: bitbucketDiscussions(name), headers, paging, advice: '' }
    },
  }
  return by[host.kind]()
}

const PageUrl = z.url({ protocol: /^https?$/ })
const Person = z.object({ display_name: z.string() }).nullish()
const Content = z.object({ raw: z.string().nullish() }).nullish()

const bitbucketRow = (kind: 'Issue' | 'Pull request') =>
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
function bitbucketDiscussions(name: string): DiscussionList[] {
  const base = `https://api.bitbucket.org/2.0/repositories/${name}`
  const site = `https://bitbucket.org/${name}`
  const changed = (list: string, kind: 'Issue' | 'Pull request', states: string): DiscussionList => ({
    name: list,
    site: `${site}/${list === 'issues' ? list : 'pull-requests'}`,
    prefixes: [`${site}/${list === 'issues' ? list : 'pull-requests'}/`],
    url: (since) =>
      `${base}/${list}?sort=-updated_on${states}${since ? `&q=${encodeURIComponent(`updated_on>=${since}`)}` : ''}`,
    rows: { kind: 'issue', schema: bitbucketRow(kind) },
    comments: { schema: CommentRow, of: ({ number }) => `${base}/${list}/${number}/comments` },
  })
  return [
    changed('issues', 'Issue', ''),
    changed('pullrequests', 'Pull request', '&state=OPEN&state=MERGED&state=DECLINED'),
  ]
}

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

const gitlabRow = (kind: 'Issue' | 'Merge request') =>
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
function gitlabDiscussions(origin: string, name: string): DiscussionList[] {
  const base = `${origin}/api/v4/projects/${encodeURIComponent(name)}`
  const site = `${origin}/${name}/-`
  const changed = (list: string, kind: 'Issue' | 'Merge request'): DiscussionList => ({
    name: list,
    site: `${site}/${list}`,
    // GitLab is moving issues to work items.
    prefixes: list === 'issues' ? [`${site}/issues/`, `${site}/work_items/`] : [`${site}/${list}/`],
    url: (since) =>
      `${base}/${list}?scope=all&state=all&order_by=updated_at&sort=desc${since ? `&updated_after=${encodeURIComponent(since)}` : ''}`,
    rows: { kind: 'issue', schema: gitlabRow(kind) },
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
