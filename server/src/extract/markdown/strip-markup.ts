import names from './element-names.json' with { type: 'json' }
import {
  type Components,
  componentTag,
  endOfMarkup,
  expression,
  findComponents,
  withoutStatements,
} from './strip-jsx.ts'

/** Active elements, and elements with content that is not visible text. */
const WITH_CONTENT: ReadonlySet<string> = new Set(names.withContent)
/** Elements to replace with their content. Other names, as in `Vec<T>` or `<Tabs>`, are not HTML. */
const PLAIN: ReadonlySet<string> = new Set(names.plain)
/** A longer match is not a tag. */
const MAX_TAG = 4_000

const MARK = /`+|<!--|\{|<\/?([a-z][\w.-]*(?::[a-z][\w.-]*)?)?(?=[\s/>])/gi
const ACTIVE = 'javascript|vbscript|data'
const ACTIVE_LINK = new RegExp(
  `!?\\[([^\\[\\]\\n]{0,300})\\]\\(\\s*(?:<\\s*)?(?:${ACTIVE}):(?:[^()\\n]|\\([^()\\n]{0,500}\\)){0,2000}\\)`,
  'gi',
)
const ACTIVE_REFERENCE = new RegExp(`^ {0,3}\\[[^\\]\\n]{1,300}\\]:\\s*<?(?:${ACTIVE}):.*$`, 'gim')
const ACTIVE_AUTOLINK = new RegExp(`<((?:${ACTIVE}):[^<>\\s]{0,2000})>`, 'gi')

/**
 * Removes HTML and MDX from the prose of a Markdown document (no fenced code). Drops comments, statements and active
 * elements with their content. Replaces other elements and components with their content. Replaces links that run code
 * with their text. Leaves inline and indented code unchanged. `components` covers all prose of the document, which the
 * caller passes in document order, and says whether that is MDX.
 */
export function stripMarkup(prose: string, components: Components = findComponents([prose])): string {
  const rest = withoutStatements(prose)
  const isMarked = rest.includes('<') || rest.includes(components.isMdx ? '{' : '{/*')
  const text = isMarked ? withoutTags(rest, components) : rest
  if (!/script:|data:/i.test(text)) return text
  return text.replace(ACTIVE_LINK, '$1').replace(ACTIVE_REFERENCE, '').replace(ACTIVE_AUTOLINK, '$1')
}

function withoutTags(prose: string, components: Components): string {
  const lower = prose.toLowerCase()
  /** Strings that do not occur in the rest of the text. */
  const missing = new Set<string>()
  const find = (what: string, from: number): number => {
    if (missing.has(what)) return -1
    const at = lower.indexOf(what, from)
    if (at < 0) missing.add(what)
    return at
  }
  const lines = createLines(prose)
  let out = ''
  let kept = 0
  /** The text before `kept` ends with a line break or only markup follows it. */
  let isAtStart = false
  MARK.lastIndex = 0
  for (let match = MARK.exec(prose); match !== null; match = MARK.exec(prose)) {
    const [mark, name = ''] = match
    if (mark.startsWith('`')) {
      MARK.lastIndex = closingTicks(prose, MARK.lastIndex, mark, find)
      continue
    }
    // Content of a component is often indented with its tags, so the indent does not mark code there.
    const isCode = components.depth === 0 && !components.isMdx && lines.isInCode(match.index)
    const startsLine: boolean = lines.isFirst(match.index) || (isAtStart && match.index === kept)
    const piece: Piece | null = isCode
      ? null
      : pieceOf(prose, { at: match.index, mark, name, find, startsLine }, components)
    if (piece === null) continue
    isAtStart = startsLine && (piece.instead === '' || piece.instead.endsWith('\n'))
    out += prose.slice(kept, match.index) + piece.instead
    kept = piece.end
    MARK.lastIndex = piece.end
  }
  if (kept === 0) return prose
  // Removed elements leave several blank lines.
  return (out + prose.slice(kept)).replace(/\n(?:[ \t]*\n){2,}/g, '\n\n')
}

type Find = (what: string, from: number) => number
type Match = { at: number; mark: string; name: string; find: Find; startsLine: boolean }

/** The end of a piece of markup, and the text to put in its place. */
type Piece = { end: number; instead: string }

/** Returns the end of the markup at a match and the text to put instead, or null to keep it. */
function pieceOf(prose: string, { at, mark, name, find, startsLine }: Match, components: Components): Piece | null {
  if (mark === '<!--' || prose.startsWith('{/*', at)) {
    const end = find(mark === '<!--' ? '-->' : '*/}', at + 3)
    return end < 0 ? null : { end: end + 3, instead: '' }
  }
  if (mark === '{') return components.isMdx ? expression(prose, at, components) : null
  if (name === '')
    return components.isMdx && prose[at + mark.length] === '>' ? { end: at + mark.length + 1, instead: '' } : null
  // In MDX, a capital begins the name of a component.
  const tag = components.isMdx ? name : name.toLowerCase()
  if (!PLAIN.has(tag) && !WITH_CONTENT.has(tag)) return componentTag(prose, { at, name, startsLine }, components)
  const close = components.isMdx ? (endOfMarkup(prose, at, components) ?? 0) - 1 : find('>', at)
  if (close < 0 || close - at > MAX_TAG) return null
  const isEnd = mark.startsWith('</')
  if (WITH_CONTENT.has(tag)) {
    const last = isEnd || prose[close - 1] === '/' ? -1 : find(`</${tag}`, close)
    const end = last < 0 ? -1 : find('>', last)
    return { end: (end < 0 ? close : end) + 1, instead: '' }
  }
  return { end: close + 1, instead: insteadOf(tag, isEnd, startsLine) }
}

function insteadOf(tag: string, isEnd: boolean, startsLine: boolean): string {
  if (tag === 'code' || tag === 'kbd' || tag === 'samp') return '`'
  if (tag === 'br' || tag === 'td' || tag === 'th') return ' '
  return startsLine && !isEnd && /^h[1-6]$/.test(tag) ? `${'#'.repeat(Number(tag[1]))} ` : ''
}

/** Returns the index after the closing run of backticks, or `from` if there is none. In that case they are literal. */
function closingTicks(prose: string, from: number, ticks: string, find: Find): number {
  for (let at = find(ticks, from); at >= 0; at = find(ticks, at)) {
    let end = at + ticks.length
    while (prose[end] === '`') end++
    if (end - at === ticks.length) return end
    at = end
  }
  return from
}

/** Tracks the current line of a text. Callers must pass increasing positions. */
function createLines(prose: string) {
  let start = 0
  let end = prose.indexOf('\n')
  let codeBefore = false
  let blankBefore = true
  const indent = () => /^(?: {4}|\t)/.test(prose.slice(start, start + 4))
  const goTo = (at: number) => {
    while (end >= 0 && end < at) {
      blankBefore = end - start < MAX_TAG && prose.slice(start, end).trim() === ''
      codeBefore = indent()
      start = end + 1
      end = prose.indexOf('\n', start)
    }
  }
  return {
    isFirst(at: number): boolean {
      goTo(at)
      return at - start < MAX_TAG && prose.slice(start, at).trim() === ''
    },
    /** Returns true inside indented code: four spaces or a tab after an empty line, or after another such line. */
    isInCode(at: number): boolean {
      goTo(at)
      return indent() && (blankBefore || codeBefore)
    },
  }
}

/** A line that opens or closes a container: `::: tip Title`, `:::note[Title]`, `:::{note} Title`, `:::`. */
const CONTAINER =
  /^[ \t]{0,20}:{3,8}(?!:)[ \t]{0,4}(?:\{\.?([\w-]{1,40})[^}\n]{0,200}\}|([a-z][\w-]{0,40})(?![\w.:(-]))?(?:[ \t]{0,4}\[([^\]\n]{1,200})\])?[ \t]{0,4}(?:\{[^}\n]{0,200}\})?([^\n]{0,300})$/gim
/** `!!! note "Title"` of MkDocs, and its folded form. */
const ADMONITION =
  /^([ \t]{0,20})(?:!!!|\?\?\?\+?)[ \t]{1,4}([a-z][\w-]{0,40})(?:[ \t]{1,4}[\w-]{1,40}){0,4}(?:[ \t]{1,4}"([^"\n]{0,200})")?[ \t]{0,20}$/gim
/** `=== "Tab"` of MkDocs. */
const TAB = /^([ \t]{0,20})===[!+]?[ \t]{1,4}"([^"\n]{1,200})"[ \t]{0,20}$/gm
/** `> [!NOTE]` of GitHub, which also takes a title in some tools. */
const ALERT = /^([ \t]{0,20}>[ \t]{0,4})\[!([a-z]{3,20})\][+-]?[ \t]{0,4}([^\n]{0,200})$/gim

/** The label of a block of code: ```` ```sh [npm] ````. */
const LABELLED =
  /^([ \t]{0,20})(?:`{3,}|~{3,})[ \t]{0,4}[\w+#.-]{0,40}[ \t]{1,4}(?:\{[^}\n]{0,100}\}[ \t]{0,4})?\[([^\]\n]{1,100})\]/

/** Kinds whose name says more than their text. */
const WARNINGS = new Set(['warning', 'caution', 'danger', 'deprecated', 'important', 'experimental'])

/** Replaces the marks of containers, admonitions and tabs in prose (no code) with their titles in bold. */
export function stripContainers(prose: string): string {
  const text = prose
    .replaceAll(CONTAINER, (_line, braced: string, plain: string, label: string | undefined, rest: string) =>
      titled('', (braced ?? plain ?? '').toLowerCase(), (label ?? rest).trim()),
    )
    .replaceAll(ADMONITION, (_line, indent: string, kind: string, title: string | undefined) =>
      titled(indent, kind.toLowerCase(), title ?? ''),
    )
    .replaceAll(TAB, '$1**$2**\n')
    .replaceAll(ALERT, (_line, quote: string, kind: string, title: string) =>
      titled(quote, kind.toLowerCase(), title.trim(), quote.trim()),
    )
  return text === prose ? prose : text.replaceAll(/\n(?:[ \t]*\n){2,}/g, '\n\n')
}

/** Puts the label of a block of code above it, like that of a tab. */
export function withLabel(code: string): string {
  const [, indent = '', label] = LABELLED.exec(code) ?? []
  return label === undefined ? code : `${indent}**${label}**\n\n${code}`
}

function titled(before: string, kind: string, title: string, empty = ''): string {
  const shown = title === '' && WARNINGS.has(kind) ? kind.charAt(0).toUpperCase() + kind.slice(1) : title
  return shown === '' ? empty : `${before}**${shown.replaceAll('**', '')}**\n${empty}`
}
