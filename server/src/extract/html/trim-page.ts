import { replaceLinks } from '#lib/text/replace-links.ts'
import type { Block } from '#documents/model/document.ts'
import noiseLines from './noise-lines.json' with { type: 'json' }
import { HAS_TEXT } from './html-tree.ts'
import type { Rendered } from './render-markdown.ts'

/** Number of blocks searched around the title. Only a few short lines precede the title or the text. */
const HEAD_BLOCKS = 8
const SHORT_LINE = 120
/** Maximum share of an article for the list of other pages at its end. */
const TAIL_SHARE = 0.4

const BYLINE =
  /^(?:by|from|von|par|por|written by|posted|published|updated|last (?:updated|modified|edited)|reviewed|created|date|author)\b|^\W*\d+\s*(?:min(?:ute)?s?|mins?)\.?(?: read)?\W*$|^(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\W+)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}|^\d{1,2}\.? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?,? \d{4}|^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}/i

/** `By default a broker …`, `Created jobs wait …`: sentences that begin like a byline. Names are capitalised. */
const SENTENCE =
  /^(?:(?:by|from|von|par|por) \p{Ll}|(?:posted|published|updated|reviewed|created|date|author)s? (?!(?:by|on|at|in)\b)\p{Ll}.*[.:!?]$)/su

const TRAILER =
  /^(?:(?:related|recent|similar) (?:posts?|articles?|stor(?:y|ies)|content|news|reading|pages?|topics?)|more (?:to explore|news|stories|posts|articles|from .{1,60}|on this (?:topic|story))|(?:you (?:may|might) also|also) (?:like|enjoy|be interested in)|recommended(?: (?:for you|reading|articles|posts|stories))?|read (?:next|more|also)|about the (?:authors?|company)|share (?:this|on).{0,40}|leave a (?:reply|comment)|(?:\d+ )?(?:comments?|responses|replies)(?: \(\d+\))?|join the (?:conversation|discussion)|subscribe.{0,60}|keep reading|most (?:read|popular)|trending.{0,20}|latest (?:news|posts|stories)|other .{0,20}(?:columns|posts|stories)|community|site feedback|関連記事|関連リンク|相关(?:文章|阅读)|verwandte artikel|lire aussi|à lire aussi|artículos relacionados|was this (?:page|article) helpful\??)\W*$/i

const PAGER = /^(?:last (?:updated|modified|edited)\b|\[(?:previous|prev\b|next|←|→|‹|›|«|»)[^\]]*\]\([^()\s]*\)$)/i

/**
 * Cuts the blocks above the title, lines with author and date below it, and the blocks after the text (lists of other
 * pages, comments). Leaves the text between them unchanged.
 */
export function trimPage(rendered: Rendered, title: string): Rendered {
  const { markdown, blocks } = rendered
  const heading = titleIndex(blocks, title)
  const text = textIndex(markdown, blocks, heading + 1)
  const end = withoutPager(markdown, blocks, tailStart(markdown, blocks))
  if (heading <= 0 && text === heading + 1 && end === blocks.length) return rendered
  return joinBlocks(markdown, [
    blocks.slice(Math.max(0, heading), heading + 1),
    blocks.slice(text, Math.max(text, end)),
  ])
}

/** Returns the index of the title heading if only short lines precede it, else -1. */
function titleIndex(blocks: Block[], title: string): number {
  const wanted = comparable(title)
  for (const [index, block] of blocks.slice(0, HEAD_BLOCKS).entries()) {
    if (block.kind === 'heading' && block.level <= 2 && comparable(block.text) === wanted) return index
    if (!isShort(block)) break
  }
  return -1
}

/** Returns the index of the first block from `start` that is not an author, date or reading time line. */
function textIndex(markdown: string, blocks: Block[], start: number): number {
  let index = start
  for (const [offset, block] of blocks.slice(start, start + HEAD_BLOCKS / 2).entries()) {
    if (!isShort(block) || block.kind === 'heading') break
    const line = markdown.slice(block.start, block.end)
    const plain = line.replace(/[*[\]_]/g, '')
    if ((BYLINE.test(plain) && !isSentence(plain)) || isLinkRow(line)) index = start + offset + 1
  }
  return index
}

function isSentence(line: string): boolean {
  return SENTENCE.test(line.charAt(0).toLowerCase() + line.slice(1))
}

function joinBlocks(markdown: string, runs: Block[][]): Rendered {
  let text = ''
  const blocks: Block[] = []
  for (const run of runs) {
    const first = run[0]
    const last = run.at(-1)
    if (first === undefined || last === undefined) continue
    if (text !== '') text += '\n\n'
    for (const block of run) blocks.push(shifted(block, first.start - text.length))
    text += markdown.slice(first.start, last.end)
  }
  return { markdown: text, blocks }
}

function isShort(block: Block): boolean {
  return block.end - block.start <= SHORT_LINE && block.kind !== 'code' && block.kind !== 'table'
}

function tailStart(markdown: string, blocks: Block[]): number {
  for (let i = 1; i < blocks.length; i++) {
    const block = blocks[i]
    if (block === undefined || block.end - block.start > SHORT_LINE || !TRAILER.test(label(markdown, block))) continue
    const rest = markdown.length - block.start
    const hasCode = blocks.slice(i).some(({ kind }) => kind === 'code' || kind === 'table')
    if (rest < TAIL_SHARE * markdown.length && !hasCode) return i
  }
  return blocks.length
}

/** Removes trailing links to neighbouring pages and the date of the last change. */
function withoutPager(markdown: string, blocks: Block[], end: number): number {
  let last = end
  for (let block = blocks[last - 1]; block?.kind === 'paragraph'; block = blocks[last - 1]) {
    const line = markdown.slice(block.start, block.end)
    if (line.length > 3 * SHORT_LINE || (!PAGER.test(line) && !isLinkRow(line))) break
    last--
  }
  return last
}

/** Returns true for a row of navigation: two or more links and nothing else. */
function isLinkRow(line: string): boolean {
  if (!line.startsWith('[') || line.indexOf('](') === line.lastIndexOf('](')) return false
  const rest = replaceLinks(line, ({ target, isPicture }) => (/[(\s]/.test(target) ? null : isPicture ? '!' : ''))
  return !HAS_TEXT.test(rest)
}

/** Returns the text of a heading, or of a bold line used like one. */
function label(markdown: string, block: Block): string {
  if (block.kind === 'heading') return block.text
  const text = markdown.slice(block.start, block.end)
  return block.kind === 'paragraph' && text.startsWith('**') ? text.replaceAll('*', '') : ''
}

function shifted(block: Block, by: number): Block {
  const moved = { ...block, start: block.start - by, end: block.end - by }
  return moved.kind === 'code' ? { ...moved, codeStart: moved.codeStart - by, codeEnd: moved.codeEnd - by } : moved
}

/** Keeps only letters and digits: titles and headings differ in quotes, dashes and case. */
function comparable(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}

/** Labels of the user interface between the text, in lower case. `code-group` is the title of tabs in VitePress. */
const NOISE_LINES: ReadonlySet<string> = new Set(noiseLines)
/** Doxygen's references to source locations. */
const DEFINED_AT =
  /^Definition at line \S+ of file \S+$|^The documentation for this \w+ was generated from the following files?:$/

/** Returns true if the line is a label of the user interface between the text. */
export function isNoiseLine(line: string): boolean {
  if (line.length > 30 || line.startsWith('Definition at ')) return DEFINED_AT.test(line)
  return NOISE_LINES.has(line.toLowerCase().replace(/^[\s#*[\]¶►▶▸▼▾-]+|(?<![\s#*[\]¶-])[\s#*[\]¶-]+$/g, ''))
}
