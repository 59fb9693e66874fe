/** What a citation is made of. */
export type Cited = { title: string; heading: string; url: string }

/**
 * One passage as a reader gets it: `[n] Page title › Heading`, `Source: URL`, then its text. Lines of these two forms,
 * and notes, are only ever ours: the text is quoted so that it holds none (see `quote`).
 */
export function framePassage(n: number, cited: Cited, text: string): string {
  const body = quote(text)
  return `${citationLines(n, cited)}${body ? `\n\n${body}` : ''}`
}

export function citationLines(n: number, { title, heading, url }: Cited): string {
  const place = oneLine(heading ? `${title} › ${heading}` : title)
  return `[${n}] ${place}\nSource: ${/\s/.test(url) ? url.replaceAll(/\s/g, encodeURIComponent) : url}`
}

/** A remark of ours among the passages. */
export function note(text: string): string {
  return `[note] ${text}`
}

/**
 * Text of a source for a place between our own lines. A line that looks like the start of a citation, like its address
 * or like a note gets a backslash, which Markdown does not show; control characters, which could move a terminal's
 * cursor onto a line of ours, are dropped.
 */
export function quote(text: string): string {
  // Looking for what is rarely there costs a third of replacing it.
  const clean = HAS_CONTROLS.test(text) ? text.replaceAll(CONTROLS, '') : text
  const unmarked = MARK.test(clean)
    ? clean.replaceAll(/^([^\S\n\r\u2028\u2029]*)(\[(?:\d+|note)\])(?![:(])/gmu, '$1\\$2')
    : clean
  return unmarked.includes('Source:')
    ? unmarked.replaceAll(/^([^\S\n\r\u2028\u2029]*)Source:/gmu, '$1Source\\:').trim()
    : unmarked.trim()
}

/** Text of a source for the inside of one line, cut to `limit` characters. */
export function oneLine(text: string, limit = 160): string {
  const spaced = ODD_SPACE.test(text) ? text.replaceAll(/\s+/g, ' ') : text
  const line = (HAS_CONTROLS.test(spaced) ? spaced.replaceAll(CONTROLS, '') : spaced).trim()
  return line.length <= limit ? line : `${line.slice(0, limit - 1).toWellFormed()}…`
}

/** C0 and C1 controls but tab and line feed, and what turns the direction of text around. */
// oxlint-disable-next-line no-control-regex -- these are the characters to remove
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g
const HAS_CONTROLS = new RegExp(CONTROLS.source)
const MARK = /\[(?:\d+|note)\]/
/** White space that is more than one space between words. */
const ODD_SPACE = /[^\S ]| {2}/
