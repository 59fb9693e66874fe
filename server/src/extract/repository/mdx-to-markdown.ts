import { shownTitles } from '../markdown/strip-jsx.ts'

/** Maximum length of a tag. A `<` without an end within this length is a comparison. */
const MAX_TAG = 4_000

/** Removes imports and exports, and replaces components and expressions by their texts. Keeps fenced code. */
export function mdxToMarkdown(mdx: string): string {
  const front = /^---\n[\s\S]*?\n---[ \t]*(?:\n|$)/.exec(mdx)?.[0] ?? ''
  const parts = splitFences(mdx.slice(front.length)).map(({ isCode, text }) =>
    isCode ? leftAligned(text) : plainStretch(text),
  )
  return front + [...parts].join('\n').replace(/\n{3,}/g, '\n\n')
}

function plainStretch(text: string): string {
  return withoutTags(withoutStatements(text))
    .replace(/^[ \t]+(?=\S)/gm, (margin) => (margin.length >= 4 ? '' : margin))
    .replace(/(?<![ \t])[ \t]+$/gm, '')
}

const STATEMENT =
  /^(import\s+(\S.*\sfrom\s+)?['"{*\w]|export\s+(default|const|let|function|class|async|type|interface|\{|\*))/

/** Removes `import …` and `export …` at the left margin, up to the next blank line. */
function withoutStatements(text: string): string {
  let inside = false
  const kept = text.split('\n').filter((line) => {
    inside = STATEMENT.test(line) || (inside && line.trim() !== '')
    return !inside
  })
  return kept.join('\n')
}

/** Replaces component and HTML tags and expressions in braces, outside code spans, in one pass. */
function withoutTags(text: string): string {
  let out = ''
  const marks = /[`<{\\]/g
  for (let at = 0; at < text.length;) {
    marks.lastIndex = at
    const next = marks.exec(text)?.index ?? text.length
    const end = endOf(text, next)
    out += text.slice(at, next) + shown(text.slice(next, end))
    at = end
  }
  return out
}

/** Returns the end of the token at `at`: an escaped character, a code span, a tag, an expression, or one character. */
function endOf(text: string, at: number): number {
  const mark = text[at]
  if (mark === '\\') return Math.min(text.length, at + 2)
  if (mark === '`') {
    const run = /^`+/.exec(text.slice(at, at + 20))?.[0] ?? '`'
    const close = text.indexOf(run, at + run.length)
    return close < 0 ? at + run.length : close + run.length
  }
  if (mark === '<' && text.startsWith('<!--', at)) {
    const close = text.indexOf('-->', at)
    return close < 0 ? text.length : close + 3
  }
  if (mark === '<' && !/^<(\/?[A-Za-z][\w.:-]*[\s/>]|\/?>)/.test(text.slice(at, at + 100))) return at + 1
  return balanced(text, at, mark === '<' ? '>' : '}')
}

/** Returns the end of a tag or an expression with nested braces and strings, or of one character without an end. */
function balanced(text: string, at: number, close: string): number {
  const most = Math.min(text.length, at + MAX_TAG)
  let depth = 0
  let quote = ''
  for (let i = at + 1; i < most; i++) {
    const char = text[i] ?? ''
    if (quote !== '') {
      if (char === quote) quote = ''
    } else if (char === '"' || char === "'" || (char === '`' && depth + (close === '}' ? 1 : 0) > 0)) {
      // An apostrophe in an expression may be plain text. Tags always quote their values.
      quote = close === '>' || depth > 0 || text.indexOf(char, i + 1) > 0 ? char : ''
    } else if (char === '{') depth++
    else if (char === close && depth === 0) return i + 1
    else if (char === '}') depth--
  }
  return at + 1
}

/** Returns the visible text of a tag, an expression, or another token. */
function shown(piece: string): string {
  if (piece.length < 2 || piece[0] === '`' || piece[0] === '\\') return piece
  if (piece.startsWith('{')) {
    if (/^\{\s*\/\*/.test(piece)) return ''
    return /^\{\s*(["'`])([^]*)\1\s*\}$/.exec(piece)?.[2] ?? ''
  }
  if (/^<(https?|mailto):/.test(piece)) return piece
  const isBreak = /^<(br|hr)\b/i.test(piece)
  if (isBreak) return '\n'
  const titles = shownTitles(piece)
  return /^<[A-Z]/.test(piece) && titles !== '' ? `\n\n**${titles}**\n\n` : ''
}

/** Removes the indent of fences inside components. */
function leftAligned(code: string): string {
  const margin = /^[ \t]*/.exec(code)?.[0].length ?? 0
  if (margin === 0) return code
  return code
    .split('\n')
    .map((line) => (line.slice(0, margin).trim() === '' ? line.slice(margin) : line))
    .join('\n')
}

/** Splits Markdown into prose and fenced code (fences included), in order. */
function* splitFences(markdown: string): Generator<{ isCode: boolean; text: string }> {
  let open = ''
  let lines: string[] = []
  for (const line of markdown.split('\n')) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1] ?? ''
    if (open === '' && mark !== '') {
      if (lines.length > 0) yield { isCode: false, text: lines.join('\n') }
      lines = [line]
      open = mark
    } else if (open !== '' && mark.startsWith(open) && line.trim() === mark) {
      yield { isCode: true, text: [...lines, line].join('\n') }
      lines = []
      open = ''
    } else lines.push(line)
  }
  if (lines.length > 0) yield { isCode: open !== '', text: lines.join('\n') }
}
