import { addressAt, headingPath, type OpenPage } from '../library-page.ts'
import { withoutSection } from '#lib/addresses/page-address.ts'
import type { Scope } from '../library.ts'
import type { Section } from '../model/document.ts'
import { markdownBlocks, plainInline } from '../model/markdown-blocks.ts'
import { piecesOf, sentencesOf, tableOf } from '../model/read-block.ts'
import { stemsOf } from '../term-overlap.ts'
import { findEntries, type EntryDeps } from './find-entries.ts'
import type { EntryText, Fact } from './read-entry.ts'
import { oneLine } from '#lib/text/one-line.ts'

/** One of the compared things: what its places say. */
export type Side = { name: string; places: Pick<EntryText, 'page' | 'heading' | 'url' | 'text'>[]; facts: SidedFact[] }
/** `place` is the index of the place that says it. */
export type SidedFact = Fact & { place: number }

export type Comparison = {
  sides: Side[]
  /** A row per property: its label, and the fact of each side, or null if its places do not say it. */
  rows: { label: string; cells: (SidedFact | null)[] }[]
}

type Wanted = {
  names: readonly string[]
  /** Properties to compare, as written. Empty: all that the places state. */
  aspects: readonly string[]
  scope: Scope
}

/** Places read for one thing. */
const PLACES = 3
const MOST_ROWS = 20
/** Share of the words of a property that a sentence must have. */
const LEAST = 0.5

/** Compares things by what their own places say: one row per property, one column per thing. */
export async function compareEntries(deps: EntryDeps, wanted: Wanted, signal?: AbortSignal): Promise<Comparison> {
  const tables = await tablesOfAll(deps, wanted, signal)
  const sides: Side[] = []
  for (const name of wanted.names) {
    const { match, entries } = await findEntries(deps, { name, kinds: [], languages: [], scope: wanted.scope }, signal)
    const own = match === 'named' ? entries.slice(0, PLACES) : []
    const inTables = tables.flatMap((table) => sideOfTable(table, name) ?? [])
    const places = [...inTables.map(({ place }) => place), ...own]
    const facts = [
      ...inTables.flatMap(({ facts: said }, place) => said.map((fact) => ({ ...fact, place }))),
      ...own.flatMap((entry, at) => entry.facts.map((fact) => ({ ...fact, place: inTables.length + at }))),
    ]
    sides.push({ name, places, facts })
  }
  const rows = wanted.aspects.length > 0 ? byAspect(sides, wanted.aspects) : byLabel(sides)
  return { sides, rows: rows.slice(0, MOST_ROWS) }
}

type Table = { page: OpenPage; section: Section; header: string[]; rows: string[][] }

/** Tables that have all names: each in the header, or each at the start of a row. */
async function tablesOfAll(
  { library, search }: EntryDeps,
  { names, scope }: Wanted,
  signal?: AbortSignal,
): Promise<Table[]> {
  const { passages } = await search({ query: names.join(' '), limit: 12, budget: 60_000, ...scope }, signal)
  const urls = [...new Set(passages.map(({ url }) => withoutSection(url)))]
  const pages = await library.open(await library.pagesAt(urls, scope))
  const tables = pages.flatMap((page) =>
    page.sections.flatMap((section) =>
      section.blocks.flatMap((block): Table[] => {
        if (block.kind !== 'table') return []
        const { header, rows } = tableOf(page.markdown, block)
        const cells = (row: { cells: readonly { start: number; end: number }[] } | null) =>
          row?.cells.map(({ start, end }) => oneLine(page.markdown.slice(start, end))) ?? []
        return [{ page, section, header: cells(header), rows: rows.map(cells) }]
      }),
    ),
  )
  return tables.filter((table) => names.every((name) => sideOfTable(table, name) !== null)).slice(0, PLACES)
}

const isNamed = (cell: string, name: string) => plainInline(cell).trim().toLowerCase() === name.trim().toLowerCase()

/** The column or row of a thing. Null if the table has none for it. */
function sideOfTable({ page, section, header, rows }: Table, name: string) {
  const column = header.findIndex((cell) => isNamed(cell, name))
  const row = rows.find(([first = '']) => isNamed(first, name))
  const facts =
    column > 0
      ? rows.map((cells) => ({ label: plainInline(cells[0] ?? ''), value: cells[column] ?? '' }))
      : row?.slice(1).map((value, at) => ({ label: plainInline(header[at + 1] ?? ''), value }))
  if (facts === undefined) return null
  const place = { page, heading: headingPath(page, section), url: addressAt(page, section), text: '' }
  return { place, facts: facts.filter(({ label, value }) => label !== '' && value !== '') }
}

/** A row for each label that a side has, in order; labels that mean the same share a row. */
function byLabel(sides: readonly Side[]): Comparison['rows'] {
  const labels = new Map(sides.flatMap(({ facts }) => facts.map(({ label }) => [keyOf(label), label] as const)))
  const rows = [...labels].map(([key, label]) => ({
    label,
    cells: sides.map(({ facts }) => facts.find((fact) => keyOf(fact.label) === key) ?? null),
  }))
  const lead = { label: 'In short', cells: sides.map(leadOf) }
  return lead.cells.some((cell) => cell !== null) ? [lead, ...rows] : rows
}

const keyOf = (label: string) => [...stemsOf(label)].toSorted().join(' ') || label.toLowerCase()

function leadOf({ places }: Side): SidedFact | null {
  const place = places.findIndex(({ text }) => text !== '')
  const text = places[place]?.text ?? ''
  const said = sentencesOf(proseOf(text))[0]
  return said === undefined ? null : { label: '', value: proseOf(text).slice(said.start, said.end), place }
}

/** A row for each wanted property: the fact with its label, or else the sentence with most of its words. */
function byAspect(sides: readonly Side[], aspects: readonly string[]): Comparison['rows'] {
  return aspects.map((label) => {
    const asked = stemsOf(label)
    const share = (text: string) => asked.intersection(stemsOf(text)).size / Math.max(1, asked.size)
    const best = <T>(all: readonly T[], worth: (each: T) => number) =>
      all
        .map((each) => ({ each, at: worth(each) }))
        .filter(({ at }) => at >= LEAST)
        .toSorted((one, other) => other.at - one.at)[0]?.each ?? null
    const cells = sides.map(({ facts, places }): SidedFact | null => {
      const sentences = places.flatMap(({ text }, place) => {
        const prose = proseOf(text)
        return sentencesOf(prose).map(({ start, end }) => ({ label: '', value: prose.slice(start, end), place }))
      })
      const headed = places.flatMap(({ text }, place) => headedBy(text).map((said) => ({ ...said, place })))
      return (
        best([...facts, ...headed], (fact) => share(fact.label)) ??
        best([...facts, ...sentences], ({ value }) => share(value))
      )
    })
    return { label, cells }
  })
}

/** The first sentence below each heading: `## Light`, `Half shade.` */
function headedBy(text: string): Fact[] {
  const headings = markdownBlocks(text).filter((block) => block.kind === 'heading')
  return headings.flatMap(({ text: label, end }, at) => {
    const prose = proseOf(text.slice(end, headings[at + 1]?.start))
    const [said] = sentencesOf(prose)
    return said ? { label, value: prose.slice(said.start, said.end) } : []
  })
}

function proseOf(text: string): string {
  const prose = piecesOf(text).filter(({ kind }) => kind === 'paragraph' || kind === 'item')
  return oneLine(prose.map(({ start, end }) => text.slice(start, end).replace(/^\s*(?:[-*+]|\d+\.) /, '')).join(' '))
}
