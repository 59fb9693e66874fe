import { z } from 'zod'
import { findPlaces, type Place } from '#documents/reference/find-places.ts'
import { excerpt } from '#documents/excerpt.ts'
import { addressAt, addressOfText, headingPath, pageAddress } from '#documents/library-page.ts'
import { readReference } from '#documents/reference/read-reference.ts'
import type { Passage } from '#search/passage.ts'
import { oneLine } from '../passages/format-citation.ts'
import { knownVersion, missingOutput, missingSource, sourceScope } from '../arguments/named-source.ts'
import { offsetOf, pagedAnswer, pagedOutput, placeIn, type Entry, type EntryOf } from '../results/paged-answer.ts'
import { cursorArgument, optionalTextArgument, sourceArgument, textArgument } from '../arguments/shared-arguments.ts'
import { defineReader } from '../definition/tool.ts'
import { codeMember, parameterMember } from '../definition/tool-result.ts'

const input = z.object({
  name: textArgument(500, 'A function, class, method, option, command or type, or an endpoint such as GET /users/{id}'),
  source: sourceArgument,
  version: optionalTextArgument(60, 'Only pages whose address says that they are for this version'),
  limit: z.int().min(1).max(10).default(3).describe('How many places'),
  cursor: cursorArgument,
})

/** How a place fits the requested name. */
const matchMember = z.enum(['exact', 'part', 'similar', 'related', 'none'])

/** Members of a place in structured content. */
const referenceResult = {
  match: matchMember,
  signature: z.string().nullable(),
  description: z.string(),
  parameters: z.array(parameterMember),
  returns: z.string().nullable(),
  errors: z.array(z.string()),
  example: codeMember.nullable(),
}

const output = pagedOutput({ name: z.string(), match: matchMember, missing: missingOutput }, referenceResult)

/** Maximum characters shown of the best place, and of each further one. */
const FIRST = 5_000
const OTHERS = 1_800

export const findApiReference = defineReader('find_api_reference', {
  input,
  output,
  async call(context, { cursor, limit, ...asked }, signal) {
    const { name } = asked
    const base = sourceScope(context.server, asked.source)
    const { version, notes } = await knownVersion(context.library, asked.version, base)
    const scope = version === undefined ? base : { ...base, version }
    const { places, passages } = await findPlaces(context, { name, scope }, signal)
    const isEmpty = context.server.sources.every(({ segments }) => segments.length === 0)
    if (places.length + passages.length === 0 && isEmpty) {
      return missingSource(context, 'find_api_reference', {
        what: 'pages yet',
        add: 'Add a description of the API (type api: OpenAPI, GraphQL, AsyncAPI, Postman), a repository or a documentation site.',
        about: { name, match: 'none' as const },
      })
    }
    const match = places[0]?.match ?? (passages.length > 0 ? 'related' : 'none')
    const paging = { tool: 'find_api_reference', asked, cursor, limit }
    const upTo = offsetOf(paging) + limit + 1
    const found = places.slice(0, upTo).map((place, index) => placeEntry(place, name, index))
    return pagedAnswer(context, paging, {
      bytes: Math.max(8_000, FIRST + limit * OTHERS),
      entries: places.length > 0 ? found : passages.map(relatedEntry),
      notes: [...notes, ...matchNotes(match, name)],
      nothing: `Nothing here is called "${oneLine(name, 100)}", and nothing speaks of it. Try another spelling, or search_docs.`,
      isRelated: match === 'similar' || match === 'related',
      about: { name, match },
    })
  },
})

function matchNotes(match: z.output<typeof matchMember>, name: string): string[] {
  const asked = oneLine(name, 100)
  if (match === 'similar') return [`Nothing is called "${asked}"; these names are the most like it.`]
  if (match === 'part') return [`Nothing is called "${asked}" in full; these have the last part of the name.`]
  if (match === 'related') return [`Nothing is called "${asked}"; these passages speak of it.`]
  return []
}

/** Characters per part in the structured content. The text has all of it. */
const PART = 1_200
const MOST_PARAMETERS = 60

type Data = EntryOf<typeof referenceResult>['data']

function placeEntry(place: Place, name: string, index: number): Entry<Data> {
  const { page, section, sections, match, row } = place
  if (row !== undefined) return rowEntry(place, row)
  const markdown = page.markdown.slice(section.start, section.close)
  const last = name.split(/\.|::|#|->|\s/).at(-1) ?? name
  const { signature, description, parameters, returns, errors, example } = readReference(
    { markdown: page.markdown, sections },
    last,
  )
  const isPage = section.start === 0
  const body = section.level === 0 ? markdown : page.markdown.slice(section.body, section.close)
  const url = isPage ? pageAddress(page) : addressAt(page, section)
  return {
    ...placeIn(page, isPage ? '' : headingPath(page, section), url),
    text: excerpt(body, index === 0 ? FIRST : OTHERS),
    data: {
      match,
      signature,
      // An operation without a description shows its summary.
      description: excerpt(description || (isPage ? (/^(.+): [A-Z]+ \/\S*$/.exec(page.title)?.[1] ?? '') : ''), PART),
      parameters: parameters.slice(0, MOST_PARAMETERS),
      returns: returns === null ? null : excerpt(returns, PART),
      errors: errors.map((error) => excerpt(error, PART)),
      example: example === null ? null : { ...example, text: excerpt(example.text, PART) },
    },
  }
}

/** A row of a table, an item of a list or a definition as a result. Its label stands for the heading that it lacks. */
function rowEntry({ page, section, match }: Place, { name, text }: NonNullable<Place['row']>): Entry<Data> {
  const path = [section.level === 0 ? '' : headingPath(page, section), oneLine(name)]
  const place = placeIn(page, path.filter(Boolean).join(' › '), addressOfText(page, section, section.start))
  return { ...place, text, data: { ...EMPTY, match, description: excerpt(text, PART) } }
}

const EMPTY = { signature: null, description: '', parameters: [], returns: null, errors: [], example: null }

function relatedEntry({ title, heading, url, sourceId, passage, code: [first] }: Passage): Entry<Data> {
  const example = first ? { language: first.language, text: first.text } : null
  const data = { ...EMPTY, match: 'related' as const, example }
  return { title, heading, url, sourceId, text: excerpt(passage, OTHERS), data }
}
