import { DatabaseSync } from 'node:sqlite'
import MiniSearch from 'minisearch'
import { elementAt } from '@docent/server/lib/arrays.ts'
import type { Run } from './eval-metrics.ts'
import type { EvalDocument, EvalSet } from './eval-set.ts'

/** Indexes of documents, best first, at most ten. */
type Search = (query: string) => number[]

const DEPTH = 10

/** Common search engines by name, in their recommended configurations. */
const ENGINES: readonly [string, (documents: readonly EvalDocument[]) => Search][] = [
  ['FTS5 porter', openFts5],
  ['MiniSearch', openMiniSearch],
  ['BM25', openBm25],
]

/** Results of each engine for the questions of a set. */
export function runBaselines({ documents, queries }: EvalSet): Map<string, Run> {
  const docsets = [...new Set(queries.map(({ docset }) => docset))]
  return new Map(
    ENGINES.map(([name, open]) => {
      const found = new Map<string, string[]>()
      for (const docset of docsets) {
        const asked = documents.filter(({ _id }) => docset === undefined || _id.startsWith(`${docset}/`))
        const search = open(asked)
        for (const query of queries)
          if (query.docset === docset)
            found.set(
              query._id,
              search(query.text).map((at) => asked[at]?._id ?? ''),
            )
      }
      return [name, found]
    }),
  )
}

/** SQLite's full-text index with its stemmer. Any word matches, and the title counts three times. */
function openFts5(documents: readonly EvalDocument[]): Search {
  const db = new DatabaseSync(':memory:')
  db.exec("CREATE VIRTUAL TABLE page USING fts5(title, text, tokenize = 'porter unicode61')")
  const insert = db.prepare('INSERT INTO page (rowid, title, text) VALUES (?, ?, ?)')
  for (const [at, { title, text }] of documents.entries()) insert.run(at + 1, title, text)
  const select = db.prepare('SELECT rowid FROM page WHERE page MATCH ? ORDER BY bm25(page, 3, 1) LIMIT ?')
  return (query) => {
    const words = wordsOf(query)
    if (words.length === 0) return []
    const match = words.map((word) => `"${word}"`).join(' OR ')
    return select.all(match, DEPTH).map(({ rowid }) => Number(rowid) - 1)
  }
}

function openMiniSearch(documents: readonly EvalDocument[]): Search {
  const index = new MiniSearch<{ id: number; title: string; text: string }>({ fields: ['title', 'text'] })
  index.addAll(documents.map(({ title, text }, id) => ({ id, title, text })))
  return (query) =>
    index
      .search(query, { boost: { title: 3 } })
      .slice(0, DEPTH)
      .map(({ id }) => Number(id))
}

/** Lucene's BM25 (Kamphuis et al. 2020), k1 1.2 and b 0.75, over unmodified title and text. */
function openBm25(documents: readonly EvalDocument[]): Search {
  const postings = new Map<string, Map<number, number>>()
  const lengths = documents.map(({ title, text }, at) => {
    const words = wordsOf(`${title} ${text}`)
    for (const word of words) {
      const counts = postings.get(word) ?? new Map<number, number>()
      postings.set(word, counts.set(at, (counts.get(at) ?? 0) + 1))
    }
    return words.length
  })
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length)
  return (query) => {
    const scores = new Map<number, number>()
    for (const word of new Set(wordsOf(query))) {
      const counts = postings.get(word)
      if (counts === undefined) continue
      const idf = Math.log(1 + (documents.length - counts.size + 0.5) / (counts.size + 0.5))
      for (const [at, count] of counts) {
        const norm = 1.2 * (0.25 + (0.75 * elementAt(lengths, at)) / average)
        scores.set(at, (scores.get(at) ?? 0) + (idf * count) / (count + norm))
      }
    }
    return [...scores]
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, DEPTH)
      .map(([at]) => at)
  }
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []
}
