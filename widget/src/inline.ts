import { element, link } from './element.ts'

export type Citation = { n: number; title: string; heading: string; url: string }
export type Citations = ReadonlyMap<number, Citation>

/** Characters at which inline markup can begin. */
const SPECIAL = /[\\`*![<]/g
const ESCAPE = /\\([!-/:-@[-`{-~])/y
const MARK = /\[(\d{1,4})\](?![(:])/y
const LINK = /!?\[([^[\]]{0,500})\]\(<?([^()\s<>]{0,2000})>?[^()]{0,200}\)/y
const AUTOLINK = /<(https?:\/\/[^\s<>]{1,2000})>/y
/** Levels of nested markup. */
const MAX_DEPTH = 4

/** Appends Markdown text to a node, as nodes. Markup that is not understood stays as text. */
export function appendInline(into: ParentNode, text: string, citations: Citations, depth = 0): void {
  /** Delimiters without an end, so that it is searched only once. */
  const unclosed = new Set<string>()
  let done = 0
  SPECIAL.lastIndex = 0
  for (let found = SPECIAL.exec(text); found; found = SPECIAL.exec(text)) {
    const at = found.index
    const made = readMarkup(text, at, { unclosed, citations, depth })
    if (made) into.append(text.slice(done, at), made.node)
    done = made ? made.end : done
    SPECIAL.lastIndex = made ? made.end : at + 1
  }
  into.append(text.slice(done))
}

type Context = { unclosed: Set<string>; citations: Citations; depth: number }
type Markup = { node: Node | string; end: number } | null

function readMarkup(text: string, at: number, context: Context): Markup {
  switch (text[at]) {
    case '\\':
      return readEscape(text, at)
    case '`':
      return readCode(text, at, context)
    case '*':
      return readEmphasis(text, at, context)
    case '<':
      return readAutolink(text, at)
    default:
      return readMark(text, at, context) ?? readLink(text, at, context)
  }
}

function readEscape(text: string, at: number): Markup {
  const [, character] = matchAt(ESCAPE, text, at) ?? []
  return character === undefined ? null : { node: character, end: at + 2 }
}

function readCode(text: string, at: number, { unclosed }: Context): Markup {
  let from = at
  while (text[from] === '`') from++
  const ticks = text.slice(at, from)
  const end = closing(text, ticks, { from, unclosed })
  return end === -1 ? null : { node: element('code', {}, text.slice(from, end).trim()), end: end + ticks.length }
}

function readEmphasis(text: string, at: number, { unclosed, citations, depth }: Context): Markup {
  const delimiter = text.startsWith('**', at) ? '**' : '*'
  const from = at + delimiter.length
  const end = /\s/.test(text[from] ?? ' ') || depth >= MAX_DEPTH ? -1 : closing(text, delimiter, { from, unclosed })
  if (end <= from || /\s/.test(text[end - 1] ?? ' ')) return null
  const node = element(delimiter === '**' ? 'strong' : 'em')
  appendInline(node, text.slice(from, end), citations, depth + 1)
  return { node, end: end + delimiter.length }
}

function readAutolink(text: string, at: number): Markup {
  const [all, address] = matchAt(AUTOLINK, text, at) ?? []
  return all === undefined || address === undefined ? null : { node: link(address, {}, address), end: at + all.length }
}

/** `[n]`, if there is a citation with this number. */
function readMark(text: string, at: number, { citations }: Context): Markup {
  const [all, digits] = matchAt(MARK, text, at) ?? []
  const citation = citations.get(Number(digits))
  if (all === undefined || !citation) return null
  const about = { className: 'mark', ariaLabel: `Source ${citation.n}: ${citation.title}`, title: citation.title }
  return { node: link(citation.url, about, String(citation.n)), end: at + all.length }
}

/** A link, or the description of an image, which is not loaded. */
function readLink(text: string, at: number, { citations, depth }: Context): Markup {
  const [all, words = '', address = ''] = matchAt(LINK, text, at) ?? []
  if (all === undefined || depth >= MAX_DEPTH) return null
  const label = document.createDocumentFragment()
  appendInline(label, words, citations, MAX_DEPTH)
  return { node: all.startsWith('!') ? label : link(address, {}, label), end: at + all.length }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

function closing(text: string, mark: string, { from, unclosed }: { from: number; unclosed: Set<string> }): number {
  if (unclosed.has(mark)) return -1
  const end = text.indexOf(mark, from)
  if (end === -1) unclosed.add(mark)
  return end
}
