import { z } from 'zod'
import { excerpt } from '#library/excerpt.ts'
import { addressAt, addressOfText, headingPath, pageAddress } from '#library/library-page.ts'
import type { Place } from '#library/reference/find-places.ts'
import { readReference } from '#library/reference/read-reference.ts'
import type { Passage } from '#search/passage.ts'
import { oneLine } from '#mcp/passages/frame.ts'
import { codeMember, parameterMember } from '../definition/tool-result.ts'
import type { Entry } from './paged-answer.ts'

/** Maximum characters shown of the best place, and of each further one. */
export const FIRST = 5_000
export const OTHERS = 1_800
/** Characters per part in the structured content. The text has all of it. */
const PART = 1_200
const MOST_PARAMETERS = 60

/** How a place fits the requested name. */
export const matchMember = z.enum(['exact', 'part', 'similar', 'related', 'none'])
export type Match = z.output<typeof matchMember>

/** Members of a place in structured content. */
export const referenceResult = {
  match: matchMember,
  signature: z.string().nullable(),
  description: z.string(),
  parameters: z.array(parameterMember),
  returns: z.string().nullable(),
  errors: z.array(z.string()),
  example: codeMember.nullable(),
}

type Data = z.output<z.ZodObject<typeof referenceResult>>

/** The definition of a name as a result. */
export function placeEntry(place: Place, name: string, index: number): Entry<Data> {
  const { page, section, match, row } = place
  if (row !== undefined) return rowEntry(place, row)
  const markdown = page.markdown.slice(section.start, section.close)
  const last = name.split(/\.|::|#|->|\s/).at(-1) ?? name
  const { signature, description, parameters, returns, errors, example } = readReference(markdown, last)
  const isPage = section.start === 0
  const body = section.level === 0 ? markdown : page.markdown.slice(section.body, section.close)
  return {
    title: page.title,
    heading: isPage ? '' : headingPath(page, section),
    url: isPage ? pageAddress(page) : addressAt(page, section),
    sourceId: page.sourceId,
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
  return {
    title: page.title,
    heading: [section.level === 0 ? '' : headingPath(page, section), oneLine(name)].filter(Boolean).join(' › '),
    url: addressOfText(page, section, section.start),
    sourceId: page.sourceId,
    text,
    data: { ...EMPTY, match, description: excerpt(text, PART) },
  }
}

const EMPTY = { signature: null, description: '', parameters: [], returns: null, errors: [], example: null }

/** A passage about a name as a result. */
export function relatedEntry({ title, heading, url, sourceId, passage, code }: Passage): Entry<Data> {
  const [example] = code
  return {
    title,
    heading,
    url,
    sourceId,
    text: excerpt(passage, OTHERS),
    data: {
      ...EMPTY,
      match: 'related',
      example: example ? { language: example.language, text: example.text } : null,
    },
  }
}
