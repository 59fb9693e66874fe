import type { OpenPage } from './library-page.ts'
import { type Section } from './sections.ts'

/** Something that was said below an issue. */
export type IssueComment = { by: string; isMaintainer: boolean; at: string; text: string; section: Section }

/** An issue or a pull request as it was indexed. */
export type Issue = {
  kind: 'issue' | 'pull_request'
  number: number
  /** The title without number. */
  title: string
  state: 'open' | 'closed' | 'merged'
  /** As `completed`, `not planned`, or null. */
  reason: string | null
  /** ISO 8601 day. */
  openedAt: string
  openedBy: string | null
  labels: string[]
  /** What its author wrote. */
  text: string
  comments: IssueComment[]
}

const FACTS =
  /^(Issue|Pull request|Merge request) [#!](\d+), ([\p{L} ]+?)(?: \(([^)\n]*)\))?, opened (\d{4}-\d{2}-\d{2})(.*)\.$/gmu
const LABELS = '. Labels: '
const MAINTAINER = ' (maintainer)'
/** States in which something is still to be done, as hosts call them. */
const OPEN = new Set(['open', 'opened', 'reopened', 'new', 'on hold'])
const COMMENT = /^Comment by (.+?)( \(maintainer\))?, (\d{4}-\d{2}-\d{2})$/

/** Reads an issue's page (made by `ingest/sources/talk-documents.ts`), or null where it is none. */
export function readIssue({ markdown, title, sections }: OpenPage): Issue | null {
  const found = factsOf(markdown)
  if (!found) return null
  const { facts, by, labels } = found
  const [line, kind, number, said = '', reason, openedAt = ''] = facts
  const state = OPEN.has(said) ? 'open' : said === 'merged' ? 'merged' : 'closed'
  const starts = sections.filter(({ level, heading }) => level === 2 && COMMENT.test(heading))
  const comments = starts.map((section, index): IssueComment => {
    const [, author = '', maintainer, at = ''] = COMMENT.exec(section.heading) ?? []
    const text = markdown.slice(section.body, starts[index + 1]?.start).trim()
    return { by: author, isMaintainer: maintainer !== undefined, at, text, section }
  })
  return {
    kind: kind === 'Issue' ? 'issue' : 'pull_request',
    number: Number(number),
    title: title.replace(/ \((?:Issue|Pull request|Merge request) [#!]\d+\)$/, ''),
    state,
    // `declined`, `wontfix` and the like say why.
    reason: reason ?? (said === state || state === 'open' ? null : said),
    openedAt,
    openedBy: by ?? null,
    labels: labels?.split(', ') ?? [],
    text: markdown.slice(facts.index + line.length, starts[0]?.start).trim(),
    comments,
  }
}

/** The line of facts, with who opened the issue and its labels. */
function factsOf(markdown: string) {
  for (const facts of markdown.matchAll(FACTS)) {
    const rest = facts[6] ?? ''
    const end = rest.indexOf(LABELS)
    const said = end < 0 ? rest : rest.slice(0, end)
    const by = said.endsWith(MAINTAINER) ? said.slice(0, -MAINTAINER.length) : said
    const labels = end < 0 ? undefined : rest.slice(end + LABELS.length)
    if (by === '') return { facts, by: undefined, labels }
    if (/^ by ./.test(by)) return { facts, by: by.slice(4), labels }
  }
  return null
}
