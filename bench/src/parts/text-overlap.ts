/** Words of a text: letters and digits of any script, lower case. */
export function words(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

export type Overlap = { f1: number; precision: number; recall: number }

/** Word overlap of two texts, with repetitions; 1 means all words. Order does not count. */
export function overlap(actual: string, expected: string): Overlap {
  const left = new Map<string, number>()
  const wanted = words(expected)
  for (const word of wanted) left.set(word, (left.get(word) ?? 0) + 1)
  const given = words(actual)
  let shared = 0
  for (const word of given) {
    const count = left.get(word) ?? 0
    if (count === 0) continue
    left.set(word, count - 1)
    shared++
  }
  if (given.length === 0 && wanted.length === 0) return { f1: 1, precision: 1, recall: 1 }
  const precision = shared / Math.max(1, given.length)
  const recall = shared / Math.max(1, wanted.length)
  return { f1: shared === 0 ? 0 : (2 * precision * recall) / (precision + recall), precision, recall }
}

/**
 * Text of Markdown as a reader sees it: without info strings of fences, addresses, images, and HTML tags outside of
 * code.
 */
export function textOfMarkdown(markdown: string): string {
  let inCode = false
  const lines: string[] = []
  for (const line of markdown.split('\n')) {
    if (/^\s*(`{3,}|~{3,})/.test(line)) inCode = !inCode
    else lines.push(inCode ? line : textOfLine(line))
  }
  return lines.join('\n')
}

function textOfLine(line: string): string {
  return line
    .replace(/!\[[^\]]*\]\((?:[^()]|\([^()]*\))*\)/g, ' ')
    .replace(/\]\((?:[^()]|\([^()]*\))*\)/g, '] ')
    .replace(/^\s*\[[^\]^][^\]]*\]:\s.*$/, '')
    .replace(/<\/?[a-z][^<>]*>/gi, ' ')
    .replace(/<(https?:[^>\s]+)>/g, '$1')
    .replace(/\{#[\w.:-]+\}/g, ' ')
    .replace(/\[\^[^\]]+\]/g, ' ')
    .replace(/\\([^\w\s])/g, '$1')
    .replace(/&[a-z]+;|&#\d+;/gi, ' ')
}
