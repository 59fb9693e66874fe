/** Lines that are no sentence: headings, fences, tables, rules, quotes of steps. */
const NO_SENTENCE = /^\s*(?:#|`{3}|~{3}|\||[-=*_]{3,}\s*$|Step \d+, |<|!\[|:::|\{%)/
const MOST = 180
/** Lines looked at. Passages are bounded, but a code block can have many. */
const LINES = 60

/** The first sentence of a passage in Markdown, without code and markup. Empty if there is none. */
export function firstStatement(text: string): string {
  let inCode = false
  const lines: string[] = []
  for (const line of text.split('\n', LINES)) {
    if (/^\s*(?:`{3}|~{3})/.test(line)) inCode = !inCode
    else if (!inCode && !NO_SENTENCE.test(line) && line.trim() !== '') lines.push(line.trim())
    else if (lines.length > 0) break
  }
  const paragraph = lines
    .join(' ')
    .replace(/^(?:[-*+]|\d{1,3}[.)])\s/, '')
    .slice(0, 600)
  const end = /[.!?。！？](?=\s|$)/.exec(paragraph)
  const sentence = end ? paragraph.slice(0, end.index + 1) : paragraph
  return sentence.length <= MOST ? sentence : `${sentence.slice(0, MOST - 1).toWellFormed()}…`
}
