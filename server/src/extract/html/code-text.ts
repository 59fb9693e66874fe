import { elementAt } from '#lib/arrays.ts'
import { inSlices } from '#lib/text/in-slices.ts'
import { findInside, hasClass, type HtmlNode } from './html-tree.ts'
import { isPrototype, onOneLine, prototypeText } from './section-markup.ts'

/** Non-code parts of a code block: line numbers, prompts, copy buttons, hidden duplicates. */
const NOT_CODE =
  /(?:^|[\s_-])(?:line-?numbers?(?:-rows)?|lineno|linenos|linenodiv|ln|lnt|conum|gutter|boring|hljs-ln-n(?:umbers)?|prompt|gp|copy|copy-?btn|copy-?button|copybtn|clipboard|code-?block-?header|code-title|sr-only|visually-hidden|twoslash-popup-container|tooltip|ttc|hideme|dropdown-menu)(?:$|[\s_-])/i

/** Elements of one line each, in highlighters that write no line breaks. */
const LINE_TAGS = new Set(['div', 'p', 'li', 'tr'])
const LINE_CLASSES = new Set('line view-line code-line CodeMirror-line token-line react-code-line'.split(' '))

/** Upper bound for line number detection, in characters: about 5,000 lines. */
const MAX_NUMBERED = 200_000

/** Returns the text of a `pre` exactly as written. Keeps or restores line breaks and leaves out decoration. */
export function codeText(pre: HtmlNode): string {
  if (isPrototype(pre)) return prototypeText(pre)
  const { tree } = pre
  let code = ''
  /** End index of the current one-line element. */
  let lineEnd = Number.POSITIVE_INFINITY
  let skipBreak = false
  for (let i = pre.index + 1; i < pre.end; i++) {
    const node = elementAt(tree, i)
    if (i >= lineEnd) {
      if (!code.endsWith('\n') && !startsWithBreak(node)) code += '\n'
      lineEnd = Number.POSITIVE_INFINITY
    }
    if (node.tag === '') {
      if (isBetweenPrompts(node, code)) continue
      code += skipBreak && node.text.startsWith('\n') ? node.text.slice(1) : node.text
      skipBreak = false
    } else if (node.tag === 'br') code += '\n'
    else if (isDecoration(node)) {
      if (isCalloutMark(node)) code = code.replace(/(?<! ) +$/, '')
      i = node.end - 1
      // Drop the line break after a removed line, too.
      skipBreak = isRemovedLine(node)
    } else if (isLine(node)) lineEnd = node.end
  }
  // The HTML standard drops a line break that directly follows the opening tag.
  if (tree[pre.index + 1]?.tag === '' && code.startsWith('\n')) code = code.slice(1)
  code = withoutOddSpaces(code.trimEnd()).replace(/^(?:[ \t]*\n)+/, '')
  // The signature of a single member. Type signatures have one line per supertype and stay as they are.
  if (pre.classes.has('member-signature')) return onOneLine(code)
  return code.length > MAX_NUMBERED ? code : withoutLineNumbers(code)
}

/** Tools that draw file trees use no-break spaces on purpose. */
const TREE = /[│├└]/

/**
 * Replaces the no-break spaces with which old pages indent, because compilers reject them, and the single spaces that
 * some highlighters write into empty lines. Single no-break spaces inside a line may be intentional.
 */
function withoutOddSpaces(code: string): string {
  const isIndented = /(?:^|\n|\u00a0)\u00a0/.test(code) && !TREE.test(code)
  const text = /(?:^|\n) (?:\n|$)/.test(code) ? inSlices(code, (slice) => slice.replace(/^ $/gm, '')) : code
  return isIndented ? inSlices(text, (slice) => slice.replaceAll('\u00a0', ' ')) : text
}

/**
 * Removes a gutter: consecutive numbers at the start of every line, whatever the markup. Lines with only numbers are
 * the gutter's own column.
 */
function withoutLineNumbers(code: string): string {
  const first = /^[ \t]*(\d{1,6})/.exec(code)?.[1]
  if (first === undefined) return code
  const lines = code.split('\n')
  if (lines.length < 3) return code
  // A leading zero means that all numbers have the width of the first.
  const width = first.startsWith('0') ? first.length : 0
  const numbers = lines.map((_, line) => String(Number(first) + line).padStart(width, '0'))
  if (lines.some((line, at) => !line.trimStart().startsWith(numbers[at] ?? ''))) return code
  const rest = lines.map((line, at) => line.trimStart().slice((numbers[at] ?? '').length))
  // The gap after the number belongs neither to the number nor to the code.
  const gaps = rest.flatMap((line) => (line.trim() === '' ? [] : [line.length - line.trimStart().length]))
  const gap = gaps.reduce((least, width) => Math.min(least, width), code.length)
  return rest
    .map((line) => line.slice(gap))
    .join('\n')
    .trimEnd()
}

/** Declarations as Javadoc and TypeDoc write them. */
const SIGNATURE = new Set(['member-signature', 'type-signature', 'tsd-signature'])
const NOT_IN_CODE = new Set(['pre', 'p', 'div'])

/** Returns true for code blocks that some generators write without `pre`. */
export function isBareCode(node: HtmlNode): boolean {
  if (node.tag !== 'div') return isEditor(node)
  // Doxygen's code blocks.
  if (isPrototype(node) || node.classes.has('fragment')) return true
  const named = node.attribs['data-lang'] ?? node.attribs['data-language']
  if (named === undefined && !hasClass(node, SIGNATURE)) return false
  return findInside(node, ({ tag }) => NOT_IN_CODE.has(tag)) === undefined
}

/** Returns true for an editable example, as on the pages of Go packages. */
export function isEditor({ tag, classes }: HtmlNode): boolean {
  return tag === 'textarea' && classes.has('code')
}

function isBetweenPrompts({ tree, index, text }: HtmlNode, code: string): boolean {
  return text === ' ' && (code === '' || code.endsWith('\n')) && tree[index + 1]?.classes.has('gp') === true
}

function isDecoration(node: HtmlNode): boolean {
  const { tag, parent, attribs } = node
  if (node.dropped || tag === 'button' || attribs['data-line-number'] !== undefined) return true
  if (attribs['aria-hidden'] === 'true' || /user-select:\s*none/.test(attribs['style'] ?? '')) return true
  // A menu that opens at a word. Lists of lines are in `pre` or `code`.
  if (tag === 'ul' && parent?.tag === 'span') return true
  const names = attribs['class']
  if (names !== undefined && (NOT_CODE.test(names) || isRemovedLine(node))) return true
  // AsciiDoc marks lines with `(1)` for the list below. Copy buttons leave these marks out, too.
  return tag === 'b' && isCalloutMark(node.tree[node.index - 1] ?? node)
}

/** A removed line in a diff example; the remaining lines are the code. */
function isRemovedLine({ classes }: HtmlNode): boolean {
  return classes.has('diff') && classes.has('remove')
}

function isCalloutMark({ classes }: HtmlNode): boolean {
  return classes.has('conum')
}

function isLine(node: HtmlNode): boolean {
  if (LINE_TAGS.has(node.tag) || hasClass(node, LINE_CLASSES) || node.attribs['data-line'] !== undefined) return true
  // The label above the output of an example. Only the style sheet breaks the line after it.
  return node.end > node.index + 1 && node.classes.has('Documentation-exampleOutputLabel')
}

function startsWithBreak(node: HtmlNode): boolean {
  return node.tag === '' ? node.text.startsWith('\n') : node.tag === 'br'
}
