import { markdownBlocks } from '#documents/model/markdown-blocks.ts'
import { removeSpans } from '#lib/text/replace-links.ts'
import type { SourceDocument } from '#sources/source-document.ts'

export type Release = {
  url: string
  tag: string
  name: string | null
  text: string | null
  isPrerelease: boolean
  publishedAt: string | null
}

export type Issue = {
  url: string
  kind: 'Issue' | 'Pull request' | 'Merge request'
  number: number
  title: string
  text: string | null
  /** For example `open`, `merged` or `closed (not planned)`. */
  state: string
  labels: string[]
  author: string | null
  /** True if the host reports the author as a maintainer. */
  byMaintainer: boolean
  createdAt: string
  updatedAt: string | null
  /** Number of comments; null if the host does not tell. */
  comments: number | null
}

export type Comment = {
  text: string | null
  author: string | null
  byMaintainer: boolean
  createdAt: string
}

/** Longer discussions have left their subject. */
const MAX_COMMENTS = 100

export function releaseDocument({ url, tag, name, text, isPrerelease, publishedAt }: Release): SourceDocument {
  const title = `Release ${name && name !== tag ? `${tag}: ${name}` : tag}`
  const facts = [
    isPrerelease ? 'Pre-release' : 'Release',
    `tag ${tag}`,
    ...(publishedAt ? [`published ${day(publishedAt)}`] : []),
  ]
  return document(url, title, [`${facts.join(', ')}.`, withoutNotes(text)])
}

/** Formats an issue or pull request: state and labels, its text, then its comments, oldest first. */
export function issueDocument(issue: Issue, comments: readonly Comment[]): SourceDocument {
  const { kind, number, state, labels, createdAt } = issue
  const facts = [
    `${kind} #${number}, ${state}, opened ${day(createdAt)}${issue.author ? ` by ${nameOf(issue)}` : ''}.`,
    ...(labels.length > 0 ? [`Labels: ${labels.join(', ')}.`] : []),
  ]
  const said = comments
    .filter(({ text }) => withoutNotes(text) !== '')
    .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
    .slice(0, MAX_COMMENTS)
    .map((one) => `## Comment by ${nameOf(one)}, ${day(one.createdAt)}\n\n${withoutNotes(one.text)}`)
  return document(issue.url, `${issue.title} (${kind} #${number})`, [
    facts.join(' '),
    withoutNotes(issue.text),
    ...said,
  ])
}

function document(address: string, title: string, parts: string[]): SourceDocument {
  const url = new URL(address)
  url.hash = ''
  const markdown = [`# ${title}`, ...parts].filter((part) => part !== '').join('\n\n')
  return { kind: 'document', url: url.href, title, markdown, language: null }
}

/** Marks maintainers, whose answers weigh more than others'. */
function nameOf({ author, byMaintainer }: Pick<Comment, 'author' | 'byMaintainer'>): string {
  return `${author ?? 'somebody'}${byMaintainer ? ' (maintainer)' : ''}`
}

/**
 * Returns a text without HTML comments, in which templates hide instructions. Escapes headings that would look like the
 * start of the next comment.
 */
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
