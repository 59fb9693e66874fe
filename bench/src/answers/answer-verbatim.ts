import type { Answer } from '@docent/server/answer/answer.ts'
import { OURS } from '@docent/server/answer/compose.ts'
import { piecesOf, sentencesOf } from '@docent/server/documents/model/read-block.ts'
import { closeFences, type Passage } from '@docent/server/search/passage.ts'

/**
 * Checks that each sentence, item, table and code block of an extractive answer occurs in the passage that it cites.
 */
export function isVerbatim({ answer, confidence, citations }: Answer, passages: readonly Passage[]): boolean {
  if (confidence === 'none') return true
  // The last of several items carries the number; after code and tables it is on the next line.
  let waiting: string[] = []
  for (const { kind, start, end } of piecesOf(answer)) {
    const block = answer.slice(start, end)
    const n = kind === 'code' ? 0 : Number(/\[(\d+)\]\)?$/.exec(block)?.[1] ?? 0)
    if (n === 0) {
      if (!isOurs(block)) waiting.push(...partsOf(kind, block))
      continue
    }
    const said = block.replace(/^… (?:\d+ )?more(?: \w+)? at \[\d+\]$|(?: |\(from )\[\d+\]\)?$/, '')
    const url = citations[n - 1]?.url
    const texts = passages.filter((passage) => passage.url === url).map((passage) => squeeze(closeFences(passage)))
    const pieces = [...waiting, ...partsOf(kind, said)].map(squeeze)
    if (!pieces.every((piece) => texts.some((text) => text.includes(piece)))) return false
    waiting = []
  }
  return waiting.length === 0
}

/** Sentences that are not quoted. */
const SENTENCES: ReadonlySet<string> = new Set(Object.values(OURS))

function isOurs(block: string): boolean {
  return /^See also: (?:\[\d+\] ?)+\.$|^\*\*[^*]+\*\*$/.test(block) || SENTENCES.has(block)
}

function partsOf(kind: string, block: string): string[] {
  if (kind === 'code') return [block]
  if (kind === 'table') return block.replaceAll('\\[', '[').split('\n')
  const text = block.replaceAll('\\[', '[')
  return sentencesOf(text).map(({ start, end }) => text.slice(start, end))
}

/** Answers move code of lists to the margin and escape text that looks like a citation with a backslash. */
function squeeze(text: string): string {
  return text.replaceAll('\\[', '[').replaceAll(/^\s+/gm, '').trim()
}

/** The text of an answer without citation marks and our own sentences. */
export function withoutMarks(answer: string): string {
  return answer
    .split('\n')
    .filter((line) => !isOurs(line))
    .join('\n')
    .replace(/\n*See also: (?:\[\d+\] ?)+\.\s*$/, '')
    .replaceAll(/\n*(?:\(from \[\d+\]\)|… (?:\d+ )?more(?: \w+)? at \[\d+\])/g, '')
    .replaceAll(/ ?(?<!\\)\[\d+\](?=\s|$)/g, '')
    .replaceAll(/\\(?=\[\d+\])/g, '')
    .trim()
}
