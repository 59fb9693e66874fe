import { type Block, foldSections, type Inline, readInline, readMarkdown } from '@docent/widget/markdown'
import type { ComponentChildren } from 'preact'
import { CopyButton } from './copy-button.tsx'

/** Texts longer than this are shown in part, so that no answer blocks the page. */
const MOST = 40_000

type Props = {
  text: string
  /** Numbers that are links to passages. */
  citations: ReadonlySet<number>
  /** Of the ids of the passages. */
  prefix?: string
  /** Highlights the words, but no code. */
  isMarked?: boolean
}

/**
 * Shows Markdown. Everything becomes text nodes. Links open another tab. Images are links, because no page of the
 * dashboard loads them. The sections of a quoted answer after the first one are closed.
 */
export function Markdown({ text, citations, prefix = '', isMarked = false }: Props) {
  const { open, folds, rest } = foldSections(readMarkdown(text.slice(0, MOST), (n) => citations.has(n)))
  const manner = { prefix, isMarked }
  const draw = (blocks: readonly Block[]) => blocks.map((block, index) => drawBlock(block, index, manner))
  return (
    <>
      {draw(open)}
      {folds.map(({ heading, blocks }, index) => (
        <details key={`fold ${index}`} class="fold">
          <summary>{drawInline(heading, manner)}</summary>
          {draw(blocks)}
        </details>
      ))}
      {draw(rest)}
    </>
  )
}

/** One line with inline code, for texts of the interface's own description. */
export function InlineMarkdown({ text }: { text: string }) {
  return <>{drawInline(readInline(text, () => false))}</>
}

export const NO_CITATIONS: ReadonlySet<number> = new Set()

type Manner = { prefix: string; isMarked: boolean }

const PLAIN: Manner = { prefix: '', isMarked: false }

function drawBlock(block: Block, key: number, manner: Manner): ComponentChildren {
  switch (block.kind) {
    case 'paragraph':
      return <p key={key}>{drawWords(block.parts, manner)}</p>
    case 'heading':
      // Answers are below a heading of their screen.
      return <h3 key={key}>{drawInline(block.parts, manner)}</h3>
    case 'code':
      return <CodeBlock key={key} code={block.text} label="Code example" />
    case 'quote':
      return <blockquote key={key}>{block.blocks.map((inner, index) => drawBlock(inner, index, manner))}</blockquote>
    case 'list':
      return drawList(block, key, manner)
    default:
      return <Table key={key} table={block} manner={manner} />
  }
}

const drawWords = (parts: readonly Inline[], manner: Manner): ComponentChildren =>
  manner.isMarked ? <mark>{drawInline(parts, manner)}</mark> : drawInline(parts, manner)

function drawList({ start, items }: Extract<Block, { kind: 'list' }>, key: number, manner: Manner) {
  const drawn = items.map(({ parts, isTask }, index) => (
    <li key={index}>
      {isTask && '☐ '}
      {drawWords(parts, manner)}
    </li>
  ))
  if (start !== null) {
    return (
      <ol key={key} class="dots" start={start}>
        {drawn}
      </ol>
    )
  }
  return (
    <ul key={key} class={items.every(({ isTask }) => isTask) ? 'checks' : 'dots'}>
      {drawn}
    </ul>
  )
}

/** Code with its lines, and a button that copies it. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <div class="code">
      <pre tabIndex={0} aria-label={label}>
        {code}
      </pre>
      <CopyButton text={code} label={`Copy: ${label}`} class="btn s" />
    </div>
  )
}

type TableProps = { table: Extract<Block, { kind: 'table' }>; manner: Manner }

function Table({ table: { head, rows }, manner }: TableProps) {
  return (
    <table class="table">
      {head.length > 0 && (
        <thead>
          <tr>
            {head.map((cell, index) => (
              <th key={index} scope="col">
                {drawInline(cell, manner)}
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map((cells, row) => (
          <tr key={row}>
            {cells.map((cell, index) => (
              <td key={index} data-label={textOf(head[index] ?? [])}>
                {drawInline(cell, manner)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function drawInline(parts: readonly Inline[], manner = PLAIN): ComponentChildren[] {
  return parts.map((part, index) => {
    if (typeof part === 'string') return part
    switch (part.kind) {
      case 'code':
        return <code key={index}>{part.text}</code>
      case 'strong':
        return <b key={index}>{drawInline(part.parts, manner)}</b>
      case 'emphasis':
        return <em key={index}>{drawInline(part.parts, manner)}</em>
      case 'mark':
        return (
          <sup key={index} class="c">
            <a href={`#${manner.prefix}p${part.n}`}>{part.n}</a>
          </sup>
        )
      default: {
        const label = drawInline(part.parts, manner)
        if (part.address === null) return <span key={index}>{label}</span>
        const isAlone = parts.length === 1
        return (
          <a
            key={index}
            class={isAlone ? 'ml' : ''}
            href={part.address}
            title={part.address}
            target="_blank"
            rel="noreferrer"
          >
            {label}
          </a>
        )
      }
    }
  })
}

/** The text of inline markup. */
const textOf = (parts: readonly Inline[]): string =>
  parts
    .map((part) => {
      if (typeof part === 'string') return part
      if (part.kind === 'code') return part.text
      return part.kind === 'mark' ? `[${part.n}]` : textOf(part.parts)
    })
    .join('')
