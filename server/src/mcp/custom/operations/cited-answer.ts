import { OWN_OPERATIONS, type OwnOperation } from '@docent/contract/values/custom-tool-plan'
import { z } from 'zod'
import type { PassagePlace } from '#search/passage.ts'
import { defineTool, READ_ONLY, type Tool, type ToolAnswer, type ToolContext } from '../../definition/tool.ts'
import { formatPassage, oneLine, paragraphs, quote } from '../../passages/format-citation.ts'
import { placeIn } from '../../results/paged-answer.ts'

/** An operation of plans that is no tool of its own. */
export function defineOperation<S extends z.ZodObject, O extends z.ZodObject>(definition: {
  name: OwnOperation
  input: S
  output: O
  call: (context: ToolContext, input: z.output<S>, signal?: AbortSignal) => Promise<ToolAnswer<z.output<O>>>
}): Tool<ToolContext> {
  const { name } = definition
  const description = OWN_OPERATIONS.find((each) => each.name === name)?.description ?? ''
  return defineTool<S, O, ToolContext>({ ...definition, title: name, description, annotations: READ_ONLY })
}

export type CitedPlace = PassagePlace & { text?: string }

type Found = { page: Parameters<typeof placeIn>[0]; heading: string; url: string }

/** The place of a thing found in a page. */
export const placeOfFound = ({ page, heading, url }: Found): CitedPlace => placeIn(page, heading, url)

/** Data of an operation: the names of the things that it shows, for the trial of a plan. */
export const namesOutput = z.object({
  /** `named`: things with the asked name, or all of a kind. */
  match: z.enum(['named', 'similar', 'about', 'none']),
  names: z.array(z.string()),
})

type Data = z.output<typeof namesOutput>

type Cited = {
  /** Text with marks `[n]` that count the places from 1. */
  lead?: string
  places: readonly CitedPlace[]
  notes: readonly string[]
  data: Data
}

/** The answer of an operation: a text of its own, such as a table, and the places that it rests on. */
export function citedAnswer({ lead = '', places, notes, data }: Cited): ToolAnswer<Data> {
  const passages = places.map((place, index) => ({ ...place, text: place.text ?? '', n: index + 1 }))
  return {
    outcome: data.match === 'none' ? 'none' : data.match === 'similar' ? 'related' : 'answered',
    text: paragraphs(lead, ...passages.map((passage) => formatPassage(passage.n, passage, passage.text))),
    notes,
    data,
    ...(lead === '' ? {} : { lead }),
    passages,
    citations: passages.map(({ sourceId, url, title, n }) => ({ sourceId, url, title, rank: n, score: 1 / n })),
  }
}

/** Numbers places from 1, each once. */
export function placeNumbers(all: readonly CitedPlace[]) {
  const keyOf = ({ sourceId, url, heading }: CitedPlace) => `${sourceId} ${url} ${heading}`
  const places = [...new Map(all.map((place) => [keyOf(place), place])).values()]
  const numbers = new Map(places.map((place, index) => [keyOf(place), index + 1]))
  return { places, of: (place: CitedPlace) => numbers.get(keyOf(place)) ?? 0 }
}

/** A table in Markdown. `n` is the place of a row; left out if all rows have the same. */
export function tableOf(columns: readonly string[], rows: readonly { cells: readonly string[]; n?: number }[]): string {
  const isOne = new Set(rows.map(({ n }) => n)).size === 1
  const isCited = rows.some(({ n }) => n !== undefined)
  const head = isCited && !isOne ? [...columns, 'Source'] : columns
  const lines = rows.map(({ cells, n }) => rowOf(cells, isCited && !isOne ? n : undefined))
  const below = isCited && isOne ? [`\nFrom [${rows[0]?.n}].`] : []
  return [rowOf(head), rowOf(head.map(() => '---')), ...lines, ...below].join('\n')
}

/** Characters of a cell. */
const MOST = 400

function rowOf(cells: readonly string[], n?: number): string {
  const source = n === undefined ? '' : ` [${n}] |`
  return `| ${cells.map((cell) => oneLine(quote(cell), MOST).replaceAll(/(?<!\\)\|/g, '\\|')).join(' | ')} |${source}`
}
