import { attribute, type HtmlNode, type HtmlTree } from './html-tree.ts'
import { inSlices } from '#lib/text/in-slices.ts'
import { isPrototype, onOneLine, prototypeText } from './section-markup.ts'

/** Non-code parts of a code block: line numbers, prompts, copy buttons, hidden duplicates. */
const NOT_CODE =
  /(?:^|[\s_-])(?:line-?numbers?(?:-rows)?|lineno|linenos|linenodiv|ln|lnt|conum|gutter|boring|hljs-ln-n(?:umbers)?|prompt|gp|copy|copy-?btn|copy-?button|copybtn|clipboard|code-?block-?header|code-title|sr-only|visually-hidden|twoslash-popup-container|tooltip|ttc|hideme|dropdown-menu)(?:$|[\s_-])/i

/** A removed line in a diff example; the remaining lines are the code. */
const REMOVED_LINE = /(?:^|\s)diff\s+remove(?:\s|$)/

/** Elements that each hold one line, in highlighters that write no line breaks. */
const LINE_CLASS = /(?:^|\s)(?:line|view-line|code-line|CodeMirror-line|token-line|react-code-line)(?:$|\s)/

/** Label above the output of an example. Only the style sheet breaks the line after it. */
const OUTPUT_LABEL = /(?:^|\s)Documentation-exampleOutputLabel(?:$|\s)/

/** Upper bound for line number detection, in characters: about 5,000 lines. */
const MAX_NUMBERED = 200_000

/** Returns the text of a `pre` exactly as written. Keeps or restores line breaks and leaves out decoration. */
export function codeText(tree: HtmlTree, start: number): string {
  const pre = tree[start]
  if (pre === undefined) return ''
  if (isPrototype(pre)) return prototypeText(tree, start)
  let code = ''
  /** End index of the current one-line element. */
  let lineEnd = Number.POSITIVE_INFINITY
  let skipBreak = false
  for (let i = start + 1; i < pre.end; i++) {
    const node = tree[i]
    if (node === undefined) break
    if (i >= lineEnd) {
      if (!code.endsWith('\n') && !startsWithBreak(node)) code += '\n'
      lineEnd = Number.POSITIVE_INFINITY
    }
    if (node.tag === '') {
      if (isBetweenPrompts(tree, i, code)) continue
      code += skipBreak && node.text.startsWith('\n') ? node.text.slice(1) : node.text
      skipBreak = false
    } else if (node.tag === 'br') code += '\n'
    else if (isDecoration(tree, i, node)) {
      if (isCalloutMark(node)) code = withoutBlankEnd(code)
      i = node.end - 1
      // Drop the line break after a removed line, too.
      skipBreak = REMOVED_LINE.test(attribute(node, 'class'))
    } else if (isLine(node) || isFilledLabel(i, node)) lineEnd = node.end
  }
  // The HTML standard drops a line break that directly follows the opening tag.
  const first = tree[start + 1]
  if (first?.tag === '' && code.startsWith('\n')) code = code.slice(1)
  code = withoutIndentSpaces(withoutLoneBlanks(code.trimEnd())).replace(/^(?:[ \t]*\n)+/, '')
  if (MEMBER.test(attribute(pre, 'class'))) return onOneLine(code)
  return code.length > MAX_NUMBERED ? code : withoutLineNumbers(code)
}

/** Some highlighters write a space into empty lines. */
function withoutLoneBlanks(code: string): string {
  return /(?:^|\n) (?:\n|$)/.test(code) ? inSlices(code, (slice) => slice.replace(/^ $/gm, '')) : code
}

function withoutBlankEnd(code: string): string {
  let end = code.length
  while (code[end - 1] === ' ') end--
  return code.slice(0, end)
}

/** Tools that draw file trees use no-break spaces on purpose. */
const TREE = /[│├└]/

/** Old pages indent with no-break spaces, which compilers reject. Single ones inside a line may be intentional. */
function withoutIndentSpaces(code: string): string {
  if (TREE.test(code)) return code
  return /(?:^|\n|\u00a0)\u00a0/.test(code) ? inSlices(code, (slice) => slice.replaceAll('\u00a0', ' ')) : code
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
  const gap = rest.reduce(
    (least, line) => (line.trim() === '' ? least : Math.min(least, line.length - line.trimStart().length)),
    code.length,
  )
  return rest
    .map((line) => line.slice(Math.min(gap, line.length)))
    .join('\n')
    .trimEnd()
}

/** Declarations as Javadoc writes them. */
const SIGNATURE = /(?:^|\s)(?:member|type|tsd)-signature(?:\s|$)/
/** Signature of a single member. Type signatures have one line per supertype and stay as they are. */
const MEMBER = /(?:^|\s)member-signature(?:\s|$)/
/** Doxygen's code blocks. */
const BOXES = /(?:^|\s)fragment(?:\s|$)/

/** Returns true for code blocks that some generators write without `pre`. */
export function isBareCode(tree: HtmlTree, index: number, node: HtmlNode): boolean {
  if (isEditor(node)) return true
  if (node.tag !== 'div') return false
  if (isPrototype(node) || BOXES.test(attribute(node, 'class'))) return true
  const named = node.attribs['data-lang'] ?? node.attribs['data-language']
  if (named === undefined && !SIGNATURE.test(attribute(node, 'class'))) return false
  for (let i = index + 1; i < node.end; i++) {
    const tag = tree[i]?.tag
    if (tag === 'pre' || tag === 'p' || tag === 'div') return false
  }
  return true
}

/** Returns true for an editable example, as on the pages of Go packages. */
export function isEditor(node: HtmlNode): boolean {
  return node.tag === 'textarea' && /(?:^|\s)code(?:\s|$)/i.test(attribute(node, 'class'))
}

/** Returns true for the space between an environment name and the prompt. */
function isBetweenPrompts(tree: HtmlTree, index: number, code: string): boolean {
  if (tree[index]?.text !== ' ' || !(code === '' || code.endsWith('\n'))) return false
  return /(?:^|\s)gp(?:\s|$)/.test(tree[index + 1]?.attribs['class'] ?? '')
}

function isDecoration(tree: HtmlTree, index: number, node: HtmlNode): boolean {
  if (node.dropped || node.tag === 'button' || node.attribs['data-line-number'] !== undefined) return true
  if (attribute(node, 'aria-hidden') === 'true' || /user-select:\s*none/.test(attribute(node, 'style'))) return true
  // A menu that opens at a word. Lists of lines are in `pre` or `code`.
  if (node.tag === 'ul' && tree[node.parent]?.tag === 'span') return true
  const names = attribute(node, 'class')
  return (names !== '' && (NOT_CODE.test(names) || REMOVED_LINE.test(names))) || isCallout(tree, index, node)
}

function isCalloutMark(node: HtmlNode): boolean {
  return /\bconum\b/.test(attribute(node, 'class'))
}

/** AsciiDoc marks lines with `(1)` for the list below. Copy buttons leave these marks out, too. */
function isCallout(tree: HtmlTree, index: number, node: HtmlNode): boolean {
  return node.tag === 'b' && isCalloutMark(tree[index - 1] ?? node)
}

function isLine(node: HtmlNode): boolean {
  if (node.tag === 'div' || node.tag === 'p' || node.tag === 'li' || node.tag === 'tr') return true
  return LINE_CLASS.test(attribute(node, 'class')) || node.attribs['data-line'] !== undefined
}

function isFilledLabel(index: number, node: HtmlNode): boolean {
  return node.end > index + 1 && OUTPUT_LABEL.test(attribute(node, 'class'))
}

function startsWithBreak(node: HtmlNode): boolean {
  return node.tag === '' ? node.text.startsWith('\n') : node.tag === 'br'
}
