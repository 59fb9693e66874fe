/** A range of a text in UTF-16 offsets, end exclusive. */
export type Span = { start: number; end: number }

/** Abbreviations: their full stop does not end a sentence. */
const ABBREVIATIONS = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|resp|approx|incl|no|fig|sec|v|mr|mrs|dr|st)\.$/i

/**
 * Splits a paragraph into sentences, without the white space between them. A sentence ends at `.`, `?` or `!` before
 * white space and a possible sentence start, or at a full-width form. Never splits inside inline code or after an
 * abbreviation. Keeps newlines inside a sentence, so that spans are verbatim.
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
  // Lower case continues the sentence: "Node.js vs. deno", "at 5 p.m. every day".
  if (/^\s+\p{Ll}/u.test(text.slice(end, end + 8))) return false
  return !ABBREVIATIONS.test(text.slice(Math.max(start, end - 10), end))
}
