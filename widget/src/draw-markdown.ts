import { element, link } from './element.ts'
import { type Block, foldSections, type Inline, readMarkdown } from './markdown.ts'

export type Citation = { n: number; title: string; heading: string; url: string }
export type Citations = ReadonlyMap<number, Citation>

/** Converts Markdown to nodes, with the sections of a quoted answer after the first one closed. No text becomes HTML. */
export function drawMarkdown(markdown: string, citations: Citations): DocumentFragment {
  const { open, folds, rest } = foldSections(readMarkdown(markdown, (n) => citations.has(n)))
  const out = drawBlocks(open, citations)
  for (const { heading, blocks } of folds) {
    const summary = element('summary', {}, ...drawInline(heading, citations))
    out.append(element('details', {}, summary, drawBlocks(blocks, citations)))
  }
  out.append(drawBlocks(rest, citations))
  return out
}

function drawBlocks(blocks: readonly Block[], citations: Citations): DocumentFragment {
  const out = document.createDocumentFragment()
  for (const block of blocks) out.append(drawBlock(block, citations))
  return out
}

function drawBlock(block: Block, citations: Citations): Node {
  const draw = (parts: readonly Inline[]) => drawInline(parts, citations)
  switch (block.kind) {
    case 'paragraph':
      return element('p', {}, ...draw(block.parts))
    case 'heading':
      return element('p', { className: 'heading' }, ...draw(block.parts))
    case 'code':
      return codeBlock(block.text)
    case 'quote':
      return element('blockquote', {}, drawBlocks(block.blocks, citations))
    case 'list': {
      const items = block.items.map(({ parts, isTask }) => element('li', {}, ...(isTask ? ['☐ '] : []), ...draw(parts)))
      return block.start === null ? element('ul', {}, ...items) : element('ol', { start: block.start }, ...items)
    }
    default: {
      const row = (tag: 'td' | 'th', cells: readonly Inline[][]) =>
        element('tr', {}, ...cells.map((cell) => element(tag, {}, ...draw(cell))))
      const head = block.head.length > 0 ? [element('thead', {}, row('th', block.head))] : []
      const body = element('tbody', {}, ...block.rows.map((cells) => row('td', cells)))
      return scrollable('Table', element('table', {}, ...head, body))
    }
  }
}

function drawInline(parts: readonly Inline[], citations: Citations): (Node | string)[] {
  return parts.map((part) => {
    if (typeof part === 'string') return part
    switch (part.kind) {
      case 'code':
        return element('code', {}, part.text)
      case 'strong':
        return element('strong', {}, ...drawInline(part.parts, citations))
      case 'emphasis':
        return element('em', {}, ...drawInline(part.parts, citations))
      case 'mark':
        return drawMark(part.n, citations)
      case 'link':
        return link(part.address ?? '', {}, ...drawInline(part.parts, citations))
      default: {
        // The image is not loaded. Its description stays.
        const label = document.createDocumentFragment()
        label.append(...drawInline(part.parts, citations))
        return label
      }
    }
  })
}

function drawMark(n: number, citations: Citations): Node | string {
  const citation = citations.get(n)
  if (!citation) return `[${n}]`
  const about = { className: 'mark', ariaLabel: `Source ${n}: ${citation.title}`, title: citation.title }
  return link(citation.url, about, String(n))
}

function codeBlock(code: string): HTMLElement {
  const copy = element('button', { type: 'button', className: 'copy' }, 'Copy')
  copy.addEventListener('click', () => {
    navigator.clipboard.writeText(code).then(
      () => copy.replaceChildren('Copied'),
      () => copy.replaceChildren('Select and copy'),
    )
  })
  return element('div', { className: 'code' }, scrollable('Code', element('pre', {}, element('code', {}, code))), copy)
}

/** Keyboards scroll only what has the focus. */
function scrollable(ariaLabel: string, inner: HTMLElement): HTMLElement {
  return element('div', { className: 'scroll', tabIndex: 0, role: 'group', ariaLabel }, inner)
}
