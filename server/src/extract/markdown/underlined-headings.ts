const UNDERLINE = /^ {0,3}(?:={2,}|-{3,})[ \t]*$/
/** Lines that begin another block: items, quotes, headings, tables, code, rules. */
const OTHER = /^(?: {4}|\t| {0,3}(?:[-*+>#|=`~]|\d{1,9}[.)][ \t]))/
const MAX_HEADING = 200

/** Writes underlined headings (setext, CommonMark 0.31 section 4.3) with `#`. Those of several lines stay paragraphs. */
export function withoutUnderlines(markdown: string): string {
  if (!/\n {0,3}(?:==|---)/.test(markdown)) return markdown
  const lines: string[] = []
  for (const line of markdown.split('\n')) {
    const [above = '', before = ''] = [lines.at(-1), lines.at(-2)]
    const isHeading = above.trim() !== '' && above.length <= MAX_HEADING && before.trim() === '' && !OTHER.test(above)
    if (isHeading && UNDERLINE.test(line))
      lines[lines.length - 1] = `${line.includes('=') ? '#' : '##'} ${above.trim()}`
    else lines.push(line)
  }
  return lines.join('\n')
}
