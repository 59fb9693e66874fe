import { z } from 'zod'
import { markdownBlocks } from '#documents/model/markdown-blocks.ts'
import { removeSpans } from '#lib/text/replace-links.ts'
import type { RowFields } from '#sources/repository/open-repository.ts'
import type { SourceDocument } from '#sources/source-document.ts'

const PageUrl = z.url({ protocol: /^https?$/ })
const Text = z.string().nullable().default(null)
/** GitHub's name for the role of an author: `OWNER`, `MEMBER`, `CONTRIBUTOR`, `NONE` and others. */
const Role = z.string().nullish()
const Labels = z
  .union([z.string().transform((label) => [label]), z.array(z.union([z.string(), z.object({ name: Text })]))])
  .nullish()
  .transform((labels) =>
    (labels ?? []).map((one) => (typeof one === 'string' ? one : (one.name ?? ''))).filter(Boolean),
  )

export const ReleaseRow = z.object({
  url: PageUrl,
  tag: z.string(),
  name: Text,
  text: Text,
  isPrerelease: z.boolean().nullish(),
  publishedAt: Text,
})

export const IssueRow = z.object({
  url: PageUrl,
  number: z.int(),
  title: z.string(),
  text: Text,
  state: z.string(),
  /** Reason for the state, and time of the merge, if the host tells them. */
  reason: Text,
  mergedAt: Text,
  /** Set for a pull request in a list of issues. */
  pull: z.looseObject({}).nullish(),
  labels: Labels,
  author: Text,
  role: Role,
  createdAt: z.string(),
  updatedAt: Text,
  /** Number of comments; null if the host does not tell. */
  comments: z.number().nullable().default(null),
})

export const CommentRow = z.object({
  /** URL of its issue, in lists of all comments. */
  of: Text,
  text: Text,
  author: Text,
  role: Role,
  createdAt: z.string(),
})

export type Issue = z.infer<typeof IssueRow>
export type Comment = z.infer<typeof CommentRow>

/** Reads the fields of a row. Null for a row that is undocumented, a draft, a deleted or system note, or from a bot. */
export function readRow<T>(schema: z.ZodType<T>, fields: RowFields, row: unknown): T | null {
  const at = (path: string) =>
    path.split('.').reduce((value, key) => (value as Record<string, unknown> | null | undefined)?.[key], row)
  const pick = (paths: string) =>
    paths
      .split('|')
      .map(at)
      .find((value) => (value ?? null) !== null)
  const picked = Object.fromEntries(Object.entries(fields).map(([field, paths]) => [field, pick(paths)]))
  if (picked['hidden'] === true || picked['hidden'] === 'Bot') return null
  return schema.safeParse(picked).data ?? null
}

/** Longer discussions have left their subject. */
const MAX_COMMENTS = 100

export function releaseDocument(release: z.infer<typeof ReleaseRow>): SourceDocument {
  const { url, tag, name, text, isPrerelease, publishedAt } = release
  const title = `Release ${name && name !== tag ? `${tag}: ${name}` : tag}`
  const published = publishedAt ? `, published ${day(publishedAt)}` : ''
  const fact = `${isPrerelease ? 'Pre-release' : 'Release'}, tag ${tag}${published}.`
  return document(url, title, [fact, withoutNotes(text)])
}

/** Formats an issue: state and labels, text, comments. `listKind` is the kind of its list, such as `Issue`. */
export function issueDocument(issue: Issue, listKind: string, comments: readonly Comment[]): SourceDocument {
  const { number, labels, createdAt } = issue
  const kind = issue.pull ? 'Pull request' : listKind
  const opened = `opened ${day(createdAt)}${issue.author ? ` by ${nameOf(issue)}` : ''}`
  const labelled = labels.length > 0 ? ` Labels: ${labels.join(', ')}.` : ''
  const said = comments
    .filter(({ text }) => withoutNotes(text) !== '')
    .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
    .slice(0, MAX_COMMENTS)
    .map((one) => `## Comment by ${nameOf(one)}, ${day(one.createdAt)}\n\n${withoutNotes(one.text)}`)
  const fact = `${kind} #${number}, ${stateOf(issue)}, ${opened}.${labelled}`
  return document(issue.url, `${issue.title} (${kind} #${number})`, [fact, withoutNotes(issue.text), ...said])
}

function document(address: string, title: string, parts: string[]): SourceDocument {
  const url = new URL(address)
  url.hash = ''
  const markdown = [`# ${title}`, ...parts].filter((part) => part !== '').join('\n\n')
  return { kind: 'document', url: url.href, title, markdown, language: null }
}

/** For example `open`, `merged` or `closed (not planned)`. */
function stateOf({ state, reason, mergedAt }: Issue): string {
  if (mergedAt) return 'merged'
  const known = state === 'opened' ? 'open' : state.toLowerCase()
  return reason && reason !== 'reopened' ? `${known} (${reason.replaceAll('_', ' ')})` : known
}

/** Marks maintainers, whose answers weigh more than others'. */
function nameOf({ author, role }: Pick<Comment, 'author' | 'role'>): string {
  return `${author ?? 'somebody'}${/^(?:OWNER|MEMBER|COLLABORATOR)$/.test(role ?? '') ? ' (maintainer)' : ''}`
}

/** Removes HTML comments, in which templates hide instructions, and escapes headings like those of comments. */
function withoutNotes(text: string | null): string {
  const own = removeSpans((text ?? '').replaceAll('\r\n', '\n'), { opening: /<!--/g, closing: '-->' })
  const parts: string[] = []
  let from = 0
  for (const block of markdownBlocks(own)) {
    if (block.kind !== 'heading' || !block.text.startsWith('Comment by ')) continue
    const mark = own.indexOf('#', block.start)
    parts.push(own.slice(from, mark), '\\')
    from = mark
  }
  return [...parts, own.slice(from)].join('').trim()
}

function day(time: string): string {
  return time.slice(0, 10)
}
