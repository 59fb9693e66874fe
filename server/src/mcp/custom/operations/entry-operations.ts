import { z } from 'zod'
import { ENTRY_KINDS, type EntryKind } from '#documents/model/document.ts'
import { excerpt } from '#documents/excerpt.ts'
import { compareEntries, type Comparison } from '#documents/entries/compare-entries.ts'
import { findEntries } from '#documents/entries/find-entries.ts'
import { findOwned, listEntries } from '#documents/entries/list-entries.ts'
import type { EntryText } from '#documents/entries/read-entry.ts'
import { oneLine } from '../../passages/format-citation.ts'
import {
  citedAnswer,
  type CitedPlace,
  defineOperation,
  namesOutput,
  placeOfFound,
  placeNumbers,
  tableOf,
} from './cited-answer.ts'
import { optionalTextArgument, textArgument } from '../../arguments/shared-arguments.ts'
import { placeIn } from '../../results/paged-answer.ts'

/** Characters shown of the best entry, and of each further one. */
const FIRST = 5_000
const OTHERS = 1_800
/** Rows of a list. More are counted in a note. */
const MOST_ROWS = 60

const PAGE = 'page'
const kindsArgument = z
  .string()
  .max(200)
  .refine((text) => text.split(',').every((kind) => kind === PAGE || (ENTRY_KINDS as readonly string[]).includes(kind)))
  .optional()
  .describe(`Kinds of things, separated by commas: ${ENTRY_KINDS.join(', ')}`)

const ownerArgument = optionalTextArgument(500, 'Only those of this thing, such as a command or a class')

const listed = (text: string | undefined) =>
  text
    ?.split(',')
    .map((each) => each.trim())
    .filter(Boolean) ?? []

export const findEntriesOperation = defineOperation({
  name: 'find_entries',
  input: z.object({
    name: textArgument(1_000, 'The name, or what the thing is for'),
    kinds: kindsArgument,
    of: ownerArgument,
    languages: optionalTextArgument(200, 'Only things of these programming languages, separated by commas'),
    exact: z.boolean().default(false).describe('Only things with the name, not those whose text fits'),
    limit: z.int().min(1).max(10).default(2).describe('How many'),
  }),
  output: namesOutput,
  async call({ library, search }, { name, kinds, of: owner, languages, exact, limit }, signal) {
    const wanted = { name, kinds: listed(kinds) as EntryKind[], scope: {} }
    const { match, entries } =
      owner === undefined
        ? await findEntries({ library, search }, { ...wanted, languages: listed(languages), isExact: exact }, signal)
        : await findOwned({ library, search }, { ...wanted, owner }, signal)
    const shown = entries.slice(0, match === 'similar' ? limit + 2 : limit)
    const asked = oneLine(owner === undefined ? name : `${owner} ${name}`, 100)
    const notes = {
      named: [],
      about: [`Nothing is called "${asked}". These fit the words best.`],
      similar: [`Nothing is called "${asked}". These names are the most like it.`],
      none: [`Nothing in the sources is called "${asked}", and nothing of this kind fits it.`],
    }[match]
    return citedAnswer({
      places: shown.map((entry, index) => ({
        ...placeOf(entry),
        text: excerpt(entry.text, index === 0 ? FIRST : OTHERS),
      })),
      notes,
      data: { match, names: shown.map((entry) => entry.name) },
    })
  },
})

/** The place of an entry. The name stands for a heading that a row does not have. */
function placeOf({ page, heading, url, name }: EntryText): CitedPlace {
  const isHeaded = name === page.title || heading.endsWith(name)
  return placeIn(page, isHeaded ? heading : [heading, name].filter(Boolean).join(' › '), url)
}

export const listEntriesOperation = defineOperation({
  name: 'list_entries',
  input: z.object({
    kinds: kindsArgument,
    of: ownerArgument,
    about: optionalTextArgument(500, 'Only those whose text has all of these words'),
  }),
  output: namesOutput,
  async call({ library, search }, { kinds, of: owner, about }, signal) {
    const wanted = { kinds: listed(kinds) as EntryKind[], owner, about, scope: {} }
    const { entries } = await listEntries({ library, search }, wanted, signal)
    const shown = entries.slice(0, MOST_ROWS)
    const numbers = placeNumbers(shown.map(placeOfFound))
    const rows = shown.map((entry) => ({ cells: cellsOf(entry, labelsOf(shown)), n: numbers.of(placeOfFound(entry)) }))
    const said = oneLine([owner, about].filter(Boolean).join(', '), 100)
    const rest = entries.length - shown.length
    return citedAnswer({
      lead: rows.length === 0 ? '' : tableOf(['Name', ...labelsOf(shown)], rows),
      places: numbers.places,
      notes: [
        ...(entries.length === 0
          ? [`The sources list nothing of this kind${said === '' ? '' : ` for "${said}"`}.`]
          : []),
        ...(rest > 0 ? [`${rest} more are not shown.`] : []),
      ],
      data: {
        match: entries.length === 0 ? ('none' as const) : ('named' as const),
        names: shown.map(({ name }) => name),
      },
    })
  },
})

const DESCRIPTION = 'Description'
const MOST_COLUMNS = 4

/** The columns that most of the entries have, if they are rows of tables. */
function labelsOf(entries: readonly EntryText[]): string[] {
  const counts = new Map<string, number>()
  for (const { facts, text } of entries)
    if (text.startsWith('|')) for (const { label } of facts) counts.set(label, (counts.get(label) ?? 0) + 1)
  const shared = [...counts].filter(([label, count]) => label !== '' && count * 2 > entries.length)
  return shared.length > 0 ? shared.slice(0, MOST_COLUMNS).map(([label]) => label) : [DESCRIPTION]
}

function cellsOf({ name, facts, description }: EntryText, labels: readonly string[]): string[] {
  const cells = labels.map((label) => facts.find((fact) => fact.label === label)?.value ?? '')
  const isEmpty = cells.every((cell) => cell === '')
  return [name, ...(isEmpty ? [...cells.slice(1), description] : cells)]
}

const UNSAID = 'not said'

export const compareEntriesOperation = defineOperation({
  name: 'compare_entries',
  input: z.object({
    first: textArgument(300, 'The first thing'),
    second: textArgument(300, 'The second thing'),
    third: optionalTextArgument(300, 'A third thing'),
    fourth: optionalTextArgument(300, 'A fourth thing'),
    aspects: optionalTextArgument(500, 'Properties to compare, separated by commas'),
  }),
  output: namesOutput,
  async call({ library, search }, { first, second, third, fourth, aspects }, signal) {
    const names = [first, second, third, fourth].filter((name) => name !== undefined)
    const wanted = { names, aspects: listed(aspects), scope: {} }
    const { sides, rows } = await compareEntries({ library, search }, wanted, signal)
    const missing = sides.filter(({ places }) => places.length === 0).map(({ name }) => name)
    if (missing.length === sides.length || rows.length === 0)
      return citedAnswer({ places: [], notes: missing.map(unknown), data: { match: 'none' as const, names: [] } })
    const table = comparisonTable({ sides, rows })
    return citedAnswer({
      ...table,
      notes: missing.map(unknown),
      data: { match: missing.length > 0 ? ('about' as const) : ('named' as const), names },
    })
  },
})

const unknown = (name: string) => `Nothing in the sources is called "${oneLine(name, 100)}".`

function comparisonTable({ sides, rows }: Comparison) {
  const placeAt = (side: number, place: number) => {
    const found = sides[side]?.places[place]
    return found && placeOfFound(found)
  }
  const cited = rows.flatMap(({ cells }) => cells.flatMap((cell, side) => (cell && placeAt(side, cell.place)) || []))
  const numbers = placeNumbers(cited)
  const filled = rows.map(({ label, cells }) => ({
    cells: [
      label,
      ...cells.map((cell, side) => {
        const place = cell === null ? undefined : placeAt(side, cell.place)
        return cell === null || place === undefined ? UNSAID : `${cell.value} [${numbers.of(place)}]`
      }),
    ],
  }))
  return { lead: tableOf(['', ...sides.map(({ name }) => name)], filled), places: numbers.places }
}
