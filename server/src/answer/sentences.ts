/** A stretch of a text by UTF-16 offsets, end exclusive. */
export type Span = { start: number; end: number }

/** Words whose full stop does not end a sentence. */
const ABBREVIATIONS = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|resp|approx|incl|no|fig|sec|v|mr|mrs|dr|st)\.$/i

/**
 * Sentences of a paragraph, without the white space between them. Ends are full stops, question and exclamation marks
 * followed by white space and something that can begin a sentence, and their full-width forms; never inside inline
 * code, nor after an abbreviation. Newlines inside a sentence are kept: the spans are verbatim.
 */
export function sentencesOf(text: string): Span[] {
  const sentences: Span[] = []
  let start = 0
  for (const match of text.matchAll(/`[^`\n]+`|(?<![.!?])[.!?]+[)\]"'*_]*(?=\s+\S)|[。！？]+/gu)) {
    const end = match.index + match[0].length
    if (match[0].startsWith('`') || !endsSentence(text, start, end)) continue
    push(start, end)
    start = end
  }
  push(start, text.length)
  return sentences

  function push(from: number, to: number): void {
    const raw = text.slice(from, to)
    const trimmed = raw.trim()
    if (trimmed === '') return
    const begin = from + raw.indexOf(trimmed)
    sentences.push({ start: begin, end: begin + trimmed.length })
  }
}

function endsSentence(text: string, start: number, end: number): boolean {
  if (/[。！？]$/u.test(text.slice(start, end))) return true
  // Something in lower case goes on with the sentence: "Node.js vs. deno", "at 5 p.m. every day".
  if (/^\s+\p{Ll}/u.test(text.slice(end, end + 8))) return false
  return !ABBREVIATIONS.test(text.slice(Math.max(start, end - 10), end))
}
