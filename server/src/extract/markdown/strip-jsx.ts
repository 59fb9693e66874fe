/** Attributes with text that a reader of the rendered page sees. */
const SHOWN =
  /\b(?:title|label|header|heading|summary|description|name)\s*=\s*(?:\{\s*)?(?:"([^"\n]{1,300})"|'([^'\n]{1,300})'|`([^`\n]{1,300})`)/g
/** Maximum length of a tag. A `<` without an end within this length is a comparison. */
const MAX_TAG = 4_000
/**
 * Budget for failed scans, per character of a document. Otherwise each unfinished tag in a row would cost `MAX_TAG`.
 */
const VAIN_READING = 20
/** An expression that is a string: `{'x'}`. */
const STRING = /^\{\s*(["'`])([^]*)\1\s*\}$/
const CLOSING = /<\/([A-Z][\w.]{0,99})\s{0,9}>/g

/** Matches `import x from 'y'` and `import 'y'`. OPEN_IMPORT matches the first line of an import over several lines. */
const IMPORT =
  /^import\s+(?!\s)(?:(?:[\w$]+\s+from|(?:type\s+)?(?:[\w$]+,\s*)?(?:\{[^{}\n]{0,500}\}|\*\s+as\s+[\w$]+)\s+from)\s*)?(["'])[^"'\n]{1,500}\1[\s;]*$/
const OPEN_IMPORT = /^import\s+(?!\s)(?:type\s+)?(?:[\w$]+,\s*)?\{[^}]*$/
const IMPORT_END = /^\s*\}\s*from\s*(["'])[^"'\n]{1,500}\1[\s;]*$/
/** Words after `export` that start no English sentence, with a pattern that must follow on the line. */
const EXPORTED: [start: RegExp, later: RegExp][] = [
  [/^(?:const|let|var)\s/, /[=:]/],
  [/^(?:default\s)?(?:async\s)?function\b/, /\(/],
  [/^(?:default\s)?class\s/, /\{/],
  [/^(?:interface|type)\s/, /[={]/],
  [/^default\s?[({[]/, /^/],
  [/^default\s[\w$.]+(?:\(|;?$)/, /^/],
  [/^(?:type\s)?[{*]/, /\bfrom\b|\};?$/],
]

/** State of the components of a document during a pass over its prose. */
export type Components = {
  /** In MDX every tag outside code is one, braces hold an expression, and no indent marks code. */
  isMdx: boolean
  /** Names with a closing tag somewhere in the document. */
  closed: ReadonlySet<string>
  depth: number
  /** Remaining budget for failed scans, in characters. */
  left: number
}

/** Finds the closed components in a document's prose. */
export function findComponents(prose: readonly string[], { isMdx = false } = {}): Components {
  const closed = new Set<string>()
  let length = 0
  for (const text of prose) {
    for (const [, name = ''] of text.matchAll(CLOSING)) closed.add(name)
    length += text.length
  }
  return { isMdx, closed, depth: 0, left: length * VAIN_READING + MAX_TAG }
}

/**
 * Reads the component tag at `at` (`<Tabs>`, `<Card title="x">`, `</Tabs.Tab>`). Returns null if it may be something
 * else: a type (`Vec<T>`) or a placeholder, which MDX does not allow. `instead` is the visible text of its attributes.
 */
export function componentTag(
  prose: string,
  { at, name, startsLine }: { at: number; name: string; startsLine: boolean },
  components: Components,
): { end: number; instead: string } | null {
  const before = prose[at - 1] ?? ''
  if (!(components.isMdx || /^[A-Z]/.test(name)) || before === '\\') return null
  const end = endOfMarkup(prose, at, components)
  if (end === null) return null
  const tag = prose.slice(at, end)
  const isKnown = components.isMdx || components.closed.has(name)
  if (tag.startsWith('</')) {
    components.depth = Math.max(0, components.depth - 1)
    return { end, instead: '' }
  }
  const closesItself = tag.endsWith('/>')
  const newline = prose.indexOf('\n', end)
  const isAlone =
    startsLine && prose.slice(end, newline < 0 ? end + MAX_TAG : Math.min(newline, end + MAX_TAG)).trim() === ''
  const looksSo = closesItself || /\s[\w:-]+=["'{]/.test(tag) || (isAlone && /[a-z]/.test(name))
  if (!isKnown && (!looksSo || /[\w.]/.test(before))) return null
  if (isKnown && !closesItself) components.depth++
  const titles = shownTitles(tag)
  return { end, instead: startsLine && titles !== '' ? `**${titles}**\n\n` : '' }
}

/** Reads the expression in braces at `at`. `instead` is its text if it is a string. Null if it has no end. */
export function expression(prose: string, at: number, components: Components): { end: number; instead: string } | null {
  if (prose[at - 1] === '\\') return null
  const end = endOfMarkup(prose, at, components, '}')
  return end === null ? null : { end, instead: STRING.exec(prose.slice(at, end))?.[2] ?? '' }
}

/** Returns the titles and labels among the attributes of a tag, joined. */
function shownTitles(tag: string): string {
  return [...tag.matchAll(SHOWN)].map((match) => match[1] ?? match[2] ?? match[3] ?? '').join(': ')
}

/** Returns the index after the end of a tag or an expression, or null without one. Skips strings and inner expressions. */
export function endOfMarkup(prose: string, at: number, components: Components, close: '>' | '}' = '>'): number | null {
  const most = Math.min(prose.length, at + Math.min(MAX_TAG, components.left))
  let depth = 0
  let quote = ''
  let i = at + 1
  for (; i < most; i++) {
    const char = prose[i] ?? ''
    if (quote !== '') {
      if (char === quote) quote = ''
    } else if (
      char === '"' ||
      (char === "'" && !isApostrophe(prose, i)) ||
      (char === '`' && (depth > 0 || close === '}'))
    )
      quote = char
    else if (char === close && depth === 0) return i + 1
    else if (char === '{') depth++
    else if (char === '}') depth--
    else if (depth > 0 || close === '}') continue
    else if (char === '<' || (char === '\n' && prose[i + 1] === '\n')) break
  }
  components.left -= i - at
  return null
}

/** True for the apostrophe of `don't`, in text between tags of an expression. */
const isApostrophe = (prose: string, at: number): boolean =>
  /\w/.test(prose[at - 1] ?? '') && /\w/.test(prose[at + 1] ?? '')

/** Removes MDX statements at the left margin: imports, and exports up to the next blank line. */
export function withoutStatements(prose: string): string {
  if (!/^(?:import|export)\s/m.test(prose)) return prose
  const kept: string[] = []
  let until: 'blank' | 'from' | null = null
  for (const line of prose.split('\n')) {
    if (until !== null && line.trim() === '') until = null
    if (until === 'from' && IMPORT_END.test(line)) {
      until = null
      continue
    }
    if (until !== null) continue
    if (line.length < MAX_TAG && IMPORT.test(line)) continue
    if (OPEN_IMPORT.test(line)) until = 'from'
    else if (isExport(line)) until = 'blank'
    else kept.push(line)
  }
  return kept.join('\n')
}

/** Returns true if the line starts an export, which ends at a blank line. */
function isExport(line: string): boolean {
  if (!line.startsWith('export ') || line.length > MAX_TAG) return false
  const rest = line.slice('export '.length).trim()
  return EXPORTED.some(([start, later]) => start.test(rest) && later.test(rest))
}

/** The margin of indented code in Markdown. */
const MARGIN = /^[ \t]{4,}(?=\S)/
const FENCE = /^([ \t]*)(`{3,}|~{3,})/

/** Moves the contents of components, which are often indented like code, to the left margin. For MDX. */
export function withoutMargins(mdx: string): string {
  let open: { margin: number; mark: string } | null = null
  const lines = mdx.split('\n').map((line) => {
    if (open === null) {
      const [, margin = '', mark] = FENCE.exec(line) ?? []
      if (mark === undefined) return line.replace(MARGIN, '')
      open = { margin: margin.length, mark }
      return line.slice(margin.length)
    }
    const { margin, mark }: { margin: number; mark: string } = open
    if (line.trim().startsWith(mark) && line.trim() === mark.charAt(0).repeat(line.trim().length)) open = null
    return line.slice(0, margin).trim() === '' ? line.slice(margin) : line
  })
  return lines.join('\n')
}
