import type { ComponentChildren } from 'preact'
import { MARKDOWN_LINK, readMarkdownLink } from './markdown-link.ts'

/** Texts longer than this are shown in part, so that no answer blocks the page. */
const MOST = 40_000

type Props = {
  text: string
  /** Numbers that are links to passages. */
  citations: ReadonlySet<number>
  /** Of the ids of the passages. */
  prefix?: string
}

/**
 * Shows the Markdown that answers use: paragraphs, headings, lists, tables, code, links, and citations such as [1]. Everything
 * becomes text nodes. Links open another tab. Images are links, because no page of the dashboard loads them.
 */
export function Markdown({ text, citations, prefix = '' }: Props) {
  const cited: Cited = { citations, prefix }
  return <>{blocksOf(text.slice(0, MOST)).map((block, index) => drawBlock(block, index, cited))}</>
}

/** One line with inline code, for texts of the interface's own description. */
export function InlineMarkdown({ text }: { text: string }) {
  return <>{drawLine(text, { citations: NO_CITATIONS, prefix: '' })}</>
}

type Cited = { citations: ReadonlySet<number>; prefix: string }

export const NO_CITATIONS: ReadonlySet<number> = new Set()

/** The mark of a point of a checklist. */
const CHECK = /^\s*[-*+] \[ \] /

type Block = { kind: 'code' | 'list' | 'heading' | 'table' | 'text'; lines: string[] }

function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  let fence: string | null = null
  for (const line of text.split('\n')) {
    const last = blocks.at(-1)
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence !== null) {
      if (mark !== undefined && mark.startsWith(fence) && line.trim() === mark) fence = null
      else last?.lines.push(line)
    } else if (mark !== undefined) {
      fence = mark
      blocks.push({ kind: 'code', lines: [] })
    } else if (line.trim() === '') blocks.push({ kind: 'text', lines: [] })
    else if (/^#{1,6} /.test(line)) blocks.push({ kind: 'heading', lines: [line.replace(/^#+ /, '')] })
    else if (/^\s*\|.*\|\s*$/.test(line)) {
      if (last?.kind === 'table') last.lines.push(line)
      else blocks.push({ kind: 'table', lines: [line] })
    } else if (/^\s*(?:[-*+]|\d{1,3}[.)]) /.test(line)) {
      if (last?.kind === 'list') last.lines.push(line)
      else blocks.push({ kind: 'list', lines: [line] })
    } else if (last && last.kind === 'list') last.lines[last.lines.length - 1] += ` ${line.trim()}`
    else if (last?.kind === 'text') last.lines.push(line)
    else blocks.push({ kind: 'text', lines: [line] })
  }
  return blocks.filter(({ lines }) => lines.length > 0)
}

function drawBlock({ kind, lines }: Block, key: number, cited: Cited): ComponentChildren {
  if (kind === 'code') {
    return (
      <pre key={key} tabIndex={0} aria-label="Code example">
        {lines.join('\n')}
      </pre>
    )
  }
  if (kind === 'heading') return <h3 key={key}>{drawLine(lines.join(' '), cited)}</h3>
  if (kind === 'table') return <Table key={key} lines={lines} cited={cited} />
  if (kind === 'list') {
    return (
      <ul key={key} class={lines.every((line) => CHECK.test(line)) ? 'checks' : 'dots'}>
        {lines.map((line, index) => (
          <li key={index}>
            {CHECK.test(line) && '☐ '}
            {drawLine(line.replace(CHECK, '').replace(/^\s*(?:[-*+]|\d{1,3}[.)]) /, ''), cited)}
          </li>
        ))}
      </ul>
    )
  }
  return <p key={key}>{drawLine(lines.join(' '), cited)}</p>
}

/** A table. Part of one has no head: a line of dashes would follow it. */
function Table({ lines, cited }: { lines: readonly string[]; cited: Cited }) {
  const isDashes = (line: string) => /^[\s|:-]+$/.test(line)
  const rows = lines.filter((line) => !isDashes(line)).map(cellsOf)
  const head = isDashes(lines[1] ?? '') ? (rows.shift() ?? []) : []
  return (
    <table class="table">
      {head.length > 0 && (
        <thead>
          <tr>
            {head.map((cell, index) => (
              <th key={index} scope="col">
                {drawLine(cell, cited)}
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map((cells, row) => (
          <tr key={row}>
            {cells.map((cell, index) => (
              <td key={index} data-label={head[index]}>
                {drawLine(cell, cited)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A backslash before a bar makes it text. */
const cellsOf = (line: string): string[] =>
  line
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))

const INLINE = new RegExp(String.raw`(\`[^\`]+\`|\*\*[^*]+\*\*|${MARKDOWN_LINK}|\[\d{1,3}\])`)

/** Inline code, bold text, links and citations. */
function drawLine(line: string, { citations, prefix }: Cited): ComponentChildren[] {
  return line.split(INLINE).map((part, index) => {
    const isAlone = part === line.trim()
    if (part.length > 2 && part.startsWith('`')) return <code key={index}>{part.slice(1, -1)}</code>
    if (part.length > 4 && part.startsWith('**'))
      return <b key={index}>{drawLine(part.slice(2, -2), { citations, prefix })}</b>
    const link = readMarkdownLink(part)
    if (link) {
      return (
        <a key={index} class={isAlone ? 'ml' : ''} href={link.url} title={link.url} target="_blank" rel="noreferrer">
          {drawLabel(link.label)}
        </a>
      )
    }
    const n = /^\[(\d{1,3})\]$/.exec(part)?.[1]
    if (n === undefined || !citations.has(Number(n))) return part
    return (
      <sup key={index} class="c">
        <a href={`#${prefix}p${n}`}>{n}</a>
      </sup>
    )
  })
}

/** The label of a link: inline code and text. */
const drawLabel = (label: string): ComponentChildren[] =>
  label
    .split(/(`[^`]+`)/)
    .map((part, index) =>
      part.length > 2 && part.startsWith('`') ? <code key={index}>{part.slice(1, -1)}</code> : part,
    )
