/** A passage of an answer, or a citation without text. */
export type CitedText = { n: number; title: string; heading: string; url: string; text: string }

export type CitedTexts = {
  /** Text before the first passage: the answer to a question. */
  lead: string
  passages: CitedText[]
  notes: string[]
}

const CITATION = /^\[(\d+)\] (.*)$/
/** Before the first heading of a citation. */
const BELOW = ' › '
const SOURCE = 'Source: '
const NOTE = '[note] '

/** Parses the text of a tool result, as written by `format-citation.ts`. Escaping backslashes in source text are kept. */
export function readCitations(text: string): CitedTexts {
  const lines = text.split('\n')
  const lead: string[] = []
  const framed: { head: Omit<CitedText, 'text'>; body: string[] }[] = []
  const notes: string[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const next = lines[at + 1] ?? ''
    const citation = next.startsWith(SOURCE) ? CITATION.exec(line) : null
    if (citation) {
      const [, n, place = ''] = citation
      const [title = ''] = place.split(BELOW, 1)
      const heading = place.slice(title.length + BELOW.length)
      const head = { n: Number(n), title, heading, url: next.slice(SOURCE.length) }
      framed.push({ head, body: [] })
      at++
    } else if (line.startsWith(NOTE)) notes.push(line.slice(NOTE.length))
    else (framed.at(-1)?.body ?? lead).push(line)
  }
  const joined = (parts: string[]) => parts.join('\n').trim()
  return { lead: joined(lead), passages: framed.map(({ head, body }) => ({ ...head, text: joined(body) })), notes }
}
