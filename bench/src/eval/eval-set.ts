import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type EvalDocument = { _id: string; title: string; text: string }
export type EvalQuery = { _id: string; text: string; docset?: string }

/** Questions with known answers over a collection of documents. Ids are opaque. */
export type EvalSet = {
  documents: EvalDocument[]
  queries: EvalQuery[]
  /** Grades of documents by query; 0 means not relevant. */
  grades: Map<string, Map<string, number>>
  /** Texts of links to a document. */
  anchors: Map<string, string[]>
}

/** Reads `corpus.jsonl`, `queries.jsonl`, `qrels.tsv` and, if present, `anchors.json` of a folder. */
export function readEvalSet(folder: string): EvalSet {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  const anchors = existsSync(join(folder, 'anchors.json')) ? read('anchors.json') : '{}'
  return {
    documents: lines(read('corpus.jsonl')).map((line) => JSON.parse(line) as EvalDocument),
    queries: lines(read('queries.jsonl')).map((line) => JSON.parse(line) as EvalQuery),
    grades: readGrades(read('qrels.tsv')),
    anchors: new Map(Object.entries(JSON.parse(anchors) as Record<string, string[]>)),
  }
}

function readGrades(table: string): EvalSet['grades'] {
  const grades: EvalSet['grades'] = new Map()
  for (const line of lines(table).slice(1)) {
    const [query = '', document = '', grade = '0'] = line.split('\t')
    grades.set(query, (grades.get(query) ?? new Map<string, number>()).set(document, Number(grade)))
  }
  return grades
}

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '')
}
