import type { OpenPage } from '../library-page.ts'
import type { Section } from '#documents/model/document.ts'

/** A comment on an issue. */
export type IssueComment = { by: string; isMaintainer: boolean; at: string; text: string; section: Section }

/** An indexed issue or pull request. */
export type Issue = {
  kind: 'issue' | 'pull_request'
  number: number
  /** Title without number. */
  title: string
  state: 'open' | 'closed' | 'merged'
  /** For example `completed` or `not planned`; null if unknown. */
  reason: string | null
  /** ISO 8601 day. */
  openedAt: string
  openedBy: string | null
  labels: string[]
  /** Text by the author of the issue. */
  text: string
  comments: IssueComment[]
}

const FACTS =
  /^(Issue|Pull request|Merge request) [#!](\d+), ([\p{L} ]+?)(?: \(([^)\n]*)\))?, opened (\d{4}-\d{2}-\d{2})(.*)\.$/gmu
const LABELS = '. Labels: '
const MAINTAINER = ' (maintainer)'
/** States of unfinished issues, as named by code hosts. */
const OPEN = new Set(['open', 'opened', 'reopened', 'new', 'on hold'])
const COMMENT = /^Comment by (.+?)( \(maintainer\))?, (\d{4}-\d{2}-\d{2})$/

/** Parses the page of an issue (made by `sources/repository/issues/discussion-documents.ts`). Null for any other page. */
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
    // States such as `declined` or `wontfix` give the reason.
    reason: reason ?? (said === state || state === 'open' ? null : said),
    openedAt,
    openedBy: by ?? null,
    labels: labels?.split(', ') ?? [],
    text: markdown.slice(facts.index + line.length, starts[0]?.start).trim(),
    comments,
  }
}

/** Parses the line of facts, with the author of the issue and its labels. */
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
