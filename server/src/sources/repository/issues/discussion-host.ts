import { bitbucketDiscussions } from './bitbucket-discussions.ts'
import { giteaDiscussions, githubDiscussions } from './github-discussions.ts'
import { gitlabDiscussions } from './gitlab-discussions.ts'
import type { OpenRepository } from '#sources/repository/open-repository.ts'
import type { DiscussionHost } from './discussion-list.ts'

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
