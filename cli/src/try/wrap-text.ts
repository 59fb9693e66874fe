/** Start of a line of code or of a table, which must not be wrapped. */
const AS_IT_STANDS = /^(\s{4}|\s*\|)/
const FENCE = /^\s*(```|~~~)/
/** Prefix of a list item or quotation. */
const LEAD = /^\s*(?:(?:[-*+]|\d+[.)]|>)\s+)?/

/** Wraps Markdown for a terminal between words, with continuation lines indented to the text. */
export function wrapText(text: string, columns: number): string {
  let inCode = false
  const lines = text.split('\n').map((line) => {
    const isFence = FENCE.test(line)
    if (isFence) inCode = !inCode
    return isFence || inCode || AS_IT_STANDS.test(line) ? line : wrapLine(line, columns)
  })
  return lines.join('\n')
}

function wrapLine(line: string, columns: number): string {
  if (line.length <= columns) return line
  const lead = LEAD.exec(line)?.[0] ?? ''
  const indent = ' '.repeat(lead.length)
  const lines: string[] = []
  let current = lead
  for (const word of line.slice(lead.length).split(' ')) {
    const isFirst = current === lead || current === indent
    if (!isFirst && current.length + 1 + word.length > columns) {
      lines.push(current)
      current = indent + word
    } else current += isFirst ? word : ` ${word}`
  }
  return [...lines, current].join('\n')
}
