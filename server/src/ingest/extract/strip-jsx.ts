/** Attributes whose text a reader of the rendered page sees. */
const SHOWN =
  /\b(?:title|label|header|heading|summary|description|name)\s*=\s*(?:\{\s*)?(?:"([^"\n]{1,300})"|'([^'\n]{1,300})'|`([^`\n]{1,300})`)/g
/** A tag does not go on for longer; what looks like one is a comparison. */
const MAX_TAG = 4_000
/** Characters that may be read in vain, for each of a document: unfinished tags in a row would cost `MAX_TAG` each. */
const VAIN_READING = 20
const CLOSING = /<\/([A-Z][\w.]{0,99})\s{0,9}>/g

/** `import x from 'y'`, `import 'y'`, and the first line of an import over several. */
const IMPORT =
  /^import\s+(?!\s)(?:(?:[\w$]+\s+from|(?:type\s+)?(?:[\w$]+,\s*)?(?:\{[^{}\n]{0,500}\}|\*\s+as\s+[\w$]+)\s+from)\s*)?(["'])[^"'\n]{1,500}\1[\s;]*$/
const OPEN_IMPORT = /^import\s+(?!\s)(?:type\s+)?(?:[\w$]+,\s*)?\{[^}]*$/
const IMPORT_END = /^\s*\}\s*from\s*(["'])[^"'\n]{1,500}\1[\s;]*$/
/** What comes after `export` where no sentence begins so, with what has to come later on the line. */
const EXPORTED: [start: RegExp, later: RegExp][] = [
  [/^(?:const|let|var)\s/, /[=:]/],
  [/^(?:default\s)?(?:async\s)?function\b/, /\(/],
  [/^(?:default\s)?class\s/, /\{/],
  [/^(?:interface|type)\s/, /[={]/],
  [/^default\s?[({[]/, /^/],
  [/^default\s[\w$.]+(?:\(|;?$)/, /^/],
  [/^(?:type\s)?[{*]/, /\bfrom\b|\};?$/],
]

/** What is known of the components of a document while its prose is read. */
export type Components = {
  /** Names that are closed somewhere. */
  closed: ReadonlySet<string>
  /** Components that are open. */
  depth: number
  /** Characters that may still be read in vain. */
  left: number
}

/** Looks for components in a document's prose. */
export function findComponents(prose: readonly string[]): Components {
  const closed = new Set<string>()
  let length = 0
  for (const text of prose) {
    for (const [, name = ''] of text.matchAll(CLOSING)) closed.add(name)
    length += text.length
  }
  return { closed, depth: 0, left: length * VAIN_READING + MAX_TAG }
}

/** Whether prose may hold statements of MDX or its comments. */
export function mayHoldMdx(prose: string): boolean {
  return /\{\/\*|^(?:import|export)\s/m.test(prose)
}

/**
 * The tag of a component (`<Tabs>`, `<Card title="x">`, `</Tabs.Tab>`) at `at`, or null for what may be something else: a
 * type (`Vec<T>`) or a name to fill in. `instead` is what a reader sees of its attributes.
 */
export function componentTag(
  prose: string,
  { at, name, startsLine }: { at: number; name: string; startsLine: boolean },
  components: Components,
): { end: number; instead: string } | null {
  const before = prose[at - 1] ?? ''
  if (!/^[A-Z]/.test(name) || before === '\\') return null
  const end = endOfTag(prose, at, components)
  if (end === null) return null
  const tag = prose.slice(at, end)
  const isKnown = components.closed.has(name)
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

/** Titles and labels among the attributes of a tag, joined. */
export function shownTitles(tag: string): string {
  return [...tag.matchAll(SHOWN)].map((match) => match[1] ?? match[2] ?? match[3] ?? '').join(': ')
}

/** After its `>`, strings and expressions passed over; null where it does not end. */
function endOfTag(prose: string, at: number, components: Components): number | null {
  const most = Math.min(prose.length, at + Math.min(MAX_TAG, components.left))
  let depth = 0
  let quote = ''
  let i = at + 1
  for (; i < most; i++) {
    const char = prose[i] ?? ''
    if (quote !== '') {
      if (char === quote) quote = ''
    } else if (char === '"' || char === "'" || (char === '`' && depth > 0)) quote = char
    else if (char === '{') depth++
    else if (char === '}') depth--
    else if (depth > 0) continue
    else if (char === '>') return i + 1
    else if (char === '<' || (char === '\n' && prose[i + 1] === '\n')) break
  }
  components.left -= i - at
  return null
}

/** Prose without the statements that MDX has at the left margin: imports, and exports up to the blank line after them. */
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

/** Whether a line begins an export, which goes up to the blank line that ends it. */
function isExport(line: string): boolean {
  if (!line.startsWith('export ') || line.length > MAX_TAG) return false
  const rest = line.slice('export '.length).trim()
  return EXPORTED.some(([start, later]) => start.test(rest) && later.test(rest))
}
