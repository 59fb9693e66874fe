/** Splits Markdown into prose and fenced code (fences included), in order. */
export function* splitFences(markdown: string): Generator<{ isCode: boolean; text: string }> {
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
