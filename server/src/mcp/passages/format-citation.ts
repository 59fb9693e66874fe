import { longestRun } from '#documents/model/markdown-blocks.ts'

export type Cited = { title: string; heading: string; url: string }

/** Formats a passage: `[n] Page title › Heading`, `Source: URL`, then its text, which cannot imitate these lines. */
export function formatPassage(n: number, cited: Cited, text: string): string {
  return paragraphs(citationLines(n, cited), quote(text))
}

export function citationLines(n: number, { title, heading, url }: Cited): string {
  const place = oneLine(heading ? `${title} › ${heading}` : title)
  return `[${n}] ${place}\nSource: ${addressForClients(url)}`
}

/** An address as one word. */
export function addressForClients(url: string): string {
  return /\s/.test(url) ? url.replaceAll(/\s/g, encodeURIComponent) : url
}

export function note(text: string): string {
  return `[note] ${text}`
}

/**
 * Quotes source text for output between our own lines. A line that looks like a citation, its address or a note gets a
 * backslash, which Markdown hides. Drops control characters, which could move a terminal's cursor onto our lines.
 */
export function quote(text: string): string {
  // Most texts have none, and a test costs a third of a replacement.
  const clean = HAS_CONTROLS.test(text) ? text.replaceAll(CONTROLS, '') : text
  const unmarked = MARK.test(clean)
    ? clean.replaceAll(/^([^\S\n\r\u2028\u2029]*)(\[(?:\d+|note|owner)\])(?![:(])/gmu, '$1\\$2')
    : clean
  return unmarked.includes('Source:')
    ? unmarked.replaceAll(/^([^\S\n\r\u2028\u2029]*)Source:/gmu, '$1Source\\:').trim()
    : unmarked.trim()
}

/** Source text for use within one line, cut to `limit` characters. */
export function oneLine(text: string, limit = 160): string {
  const spaced = ODD_SPACE.test(text) ? text.replaceAll(/\s+/g, ' ') : text
  const line = (HAS_CONTROLS.test(spaced) ? spaced.replaceAll(CONTROLS, '') : spaced).trim()
  return line.length <= limit ? line : `${line.slice(0, limit - 1).toWellFormed()}…`
}

/** C0 and C1 controls except tab and line feed, and bidirectional overrides. */
// oxlint-disable-next-line no-control-regex -- these are the characters to remove
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g
const HAS_CONTROLS = new RegExp(CONTROLS.source)
const MARK = /\[(?:\d+|note|owner)\]/
/** White space other than single spaces between words. */
const ODD_SPACE = /[^\S ]| {2}/

/** Joins the parts that are not empty with blank lines between. */
export const paragraphs = (...parts: readonly string[]): string =>
  parts.reduce((text, part) => (text && part ? `${text}\n\n${part}` : text || part), '')

/** Wraps source text in a code fence that its content cannot close. */
export function fence(text: string, language = ''): string {
  const marks = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return `${marks}${language}\n${text}\n${marks}`
}

/** Maximum answer length, whatever a source contains. Clients refuse texts of 100,000 characters and more. */
const HARD_CAP = 60_000

const TRUNCATED = '\n\n(cut here; open the source for the rest)'

/** The leading blocks that fit into `bytes` of UTF-8. The first is always complete, up to the hard cap. */
export function packBlocks(blocks: readonly string[], bytes: number): string[] {
  const packed: string[] = []
  let used = 0
  for (const block of blocks) {
    used += Buffer.byteLength(block) + 2
    if (packed.length > 0 && used > bytes) break
    packed.push(block.length > HARD_CAP ? block.slice(0, HARD_CAP).toWellFormed() + TRUNCATED : block)
  }
  return packed
}
