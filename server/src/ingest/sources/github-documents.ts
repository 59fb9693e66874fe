import { z } from 'zod'
import type { SourceDocument } from './source-document.ts'

const UserSchema = z.object({ login: z.string(), type: z.string().optional() }).nullish()
const PageUrlSchema = z.url({ protocol: /^https?$/ })

/** What somebody is to the repository, as GitHub says it: `OWNER`, `MEMBER`, `CONTRIBUTOR`, `NONE` and others. */
const AssociationSchema = z.string().nullish()
const MAINTAINERS = new Set(['OWNER', 'MEMBER', 'COLLABORATOR'])

export const ReleaseSchema = z.object({
  html_url: PageUrlSchema,
  tag_name: z.string(),
  name: z.string().nullish(),
  body: z.string().nullish(),
  draft: z.boolean(),
  prerelease: z.boolean(),
  published_at: z.string().nullish(),
})
export type Release = z.infer<typeof ReleaseSchema>

export const IssueSchema = z.object({
  html_url: PageUrlSchema,
  number: z.number().int(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.string(),
  state_reason: z.string().nullish(),
  labels: z.array(z.union([z.string(), z.object({ name: z.string().nullish() })])),
  user: UserSchema,
  author_association: AssociationSchema,
  created_at: z.string(),
  pull_request: z.object({ merged_at: z.string().nullish() }).optional(),
})
export type Issue = z.infer<typeof IssueSchema>

export const CommentSchema = z.object({
  issue_url: z.string(),
  body: z.string().nullish(),
  user: UserSchema,
  author_association: AssociationSchema,
  created_at: z.string(),
})
export type Comment = z.infer<typeof CommentSchema>

/** A discussion that is longer has left its subject. */
const MAX_COMMENTS = 100

export function releaseDocument({ html_url, tag_name, name, body, prerelease, published_at }: Release): SourceDocument {
  const title = `Release ${name && name !== tag_name ? `${tag_name}: ${name}` : tag_name}`
  const facts = [
    prerelease ? 'Pre-release' : 'Release',
    `tag ${tag_name}`,
    ...(published_at ? [`published ${day(published_at)}`] : []),
  ]
  return document(html_url, title, [`${facts.join(', ')}.`, textOf(body)])
}

/** An issue or a pull request: its state and labels, what it says, then what was said about it. */
export function issueDocument(issue: Issue, comments: readonly Comment[]): SourceDocument {
  const kind = issue.pull_request ? 'Pull request' : 'Issue'
  const labels = issue.labels.map((label) => (typeof label === 'string' ? label : (label.name ?? ''))).filter(Boolean)
  const facts = [
    `${kind} #${issue.number}, ${stateOf(issue)}, opened ${day(issue.created_at)}${issue.user ? ` by ${issue.user.login}${standing(issue.author_association)}` : ''}.`,
    ...(labels.length > 0 ? [`Labels: ${labels.join(', ')}.`] : []),
  ]
  const said = comments
    .filter(({ user, body }) => user?.type !== 'Bot' && textOf(body) !== '')
    .slice(0, MAX_COMMENTS)
    .map(
      ({ user, author_association, body, created_at }) =>
        `## Comment by ${user?.login ?? 'somebody'}${standing(author_association)}, ${day(created_at)}\n\n${textOf(body)}`,
    )
  return document(issue.html_url, `${issue.title} (${kind} #${issue.number})`, [
    facts.join(' '),
    textOf(issue.body),
    ...said,
  ])
}

function document(address: string, title: string, parts: string[]): SourceDocument {
  const url = new URL(address)
  url.hash = ''
  const markdown = [`# ${title}`, ...parts].filter((part) => part !== '').join('\n\n')
  return { kind: 'document', url: url.href, title, markdown, language: null }
}

/** Answers of those who maintain a project weigh more than those of passers-by. */
function standing(association: string | null | undefined): string {
  return MAINTAINERS.has(association ?? '') ? ' (maintainer)' : ''
}

function stateOf({ state, state_reason, pull_request }: Issue): string {
  if (pull_request?.merged_at) return 'merged'
  return state_reason && state_reason !== 'reopened' ? `${state} (${state_reason.replaceAll('_', ' ')})` : state
}

/**
 * What somebody wrote, as it is, but for what would be taken for the beginning of the next one's words. Templates leave
 * their instructions in comments that nobody sees.
 */
function textOf(body: string | null | undefined): string {
  return (body ?? '')
    .replaceAll('\r\n', '\n')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/^( {0,3})(#{1,6}[ \t]+Comment by )/gm, '$1\\$2')
    .trim()
}

function day(time: string): string {
  return time.slice(0, 10)
}
