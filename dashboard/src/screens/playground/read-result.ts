type Data = Readonly<Record<string, unknown>> | null

/** A place in the sources that an answer rests on. */
export type Passage = {
  n: number
  title: string
  heading: string
  url: string
  text: string
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

export function citationsOf(data: Data): Passage[] {
  return listOf(data?.['citations'])
}

/** The passages of any tool: its citations, or the first list of its results that have addresses. */
export function passagesOf(data: Data): Passage[] {
  if (!data) return []
  const cited = citationsOf(data)
  if (cited.length > 0) return cited
  for (const value of Object.values(data)) {
    const found = listOf(value)
    if (found.length > 0) return found
  }
  return []
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
        text: textIn(item, 'quote', 'passage', 'text', 'signature', 'description', 'summary', 'schema'),
        code: language !== undefined || textIn(item, 'signature') !== '',
        score: typeof score === 'number' ? score : null,
      },
    ]
  })
}
