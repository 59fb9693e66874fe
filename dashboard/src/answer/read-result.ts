type Data = Readonly<Record<string, unknown>> | null

/** A place in the sources that an answer rests on. */
export type Passage = {
  n: number
  title: string
  heading: string
  url: string
  /** Empty for results that no source of the server holds, such as those of a remote server. */
  sourceId: string
  text: string
  /** The text has only the words that the answer uses, not a whole passage. */
  isQuote: boolean
  code: boolean
  score: number | null
}

type Item = Record<string, unknown>

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value)
const textIn = (item: Item, ...names: string[]): string => {
  for (const name of names) {
    const value = item[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return ''
}

/** The passages of any tool: its citations, or the first list of its results that have addresses. */
export function passagesOf(data: Data): Passage[] {
  if (!data) return []
  const cited = listOf(data['citations'])
  if (cited.length > 0) return cited
  for (const value of Object.values(data)) {
    const found = listOf(value)
    if (found.length > 0) return found
  }
  return []
}

/** Numbers of the passages that a text cites, as in `[2]`. */
export function citedIn(text: string, passages: readonly Passage[]): Set<number> {
  const marks = new Set([...text.matchAll(/\[(\d{1,3})\]/g)].map(([, n]) => Number(n)))
  return new Set(passages.flatMap(({ n }) => (marks.has(n) ? [n] : [])))
}

function listOf(value: unknown): Passage[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((item: unknown, index) => {
    if (!isItem(item) || typeof item['url'] !== 'string') return []
    const { n, rank, score, language } = item
    const number = typeof n === 'number' ? n : typeof rank === 'number' ? rank : index + 1
    return [
      {
        n: number,
        title: textIn(item, 'title', 'name') || item['url'],
        heading: textIn(item, 'heading'),
        url: item['url'],
        sourceId: textIn(item, 'sourceId'),
        text: textIn(item, 'quote', 'passage', 'text', 'signature', 'description', 'summary', 'schema'),
        isQuote: textIn(item, 'quote') !== '',
        code: language !== undefined || textIn(item, 'signature') !== '',
        score: typeof score === 'number' ? score : null,
      },
    ]
  })
}
