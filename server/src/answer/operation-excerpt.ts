import type { HeadingBlock } from '#documents/model/document.ts'
import type { Passage } from '#search/passage.ts'
import type { AskedTerms } from './asked-terms.ts'
import { type Excerpt, lengthOf } from './choose-excerpts.ts'
import { rateSections, type ScoredUnit } from './sections.ts'
import { isFact } from './units.ts'
import { EXCERPT } from './weights.ts'

/** Characters of the call with its description, and of a sample of it. The parameters get the rest. */
const MOST_CALL = 350
const MOST_SAMPLE = 450

/** Sections of an operation's page as the extraction of API descriptions writes them. */
const INPUT = new Set(['Parameters', 'Request body'])
const SAMPLE = new Set(['Sample request'])
const OUTPUT = new Set(['Responses'])

const ASKS_FOR_OUTPUT = /\b(?:returns?|respon(?:ds?|ses?)|answers?|results?)\b/i

type Question = { question: string; asked: AskedTerms }

/**
 * The call and its description from the page of an API operation. Then its parameters and a sample, or its answers if
 * the question is about them, as much as fits.
 */
export function excerptOfOperation(page: Passage, { question, asked }: Question): Excerpt {
  const [section] = rateSections([page], asked, new Set())
  if (!section) throw new Error('The page of an operation has its call')
  const parts = page.blocks.filter((block) => block.kind === 'heading' && block.level === 2) as HeadingBlock[]
  const under = section.units.map(({ start }) => parts.findLast((part) => part.start < start)?.text ?? '')
  const below = (headings: ReadonlySet<string>) => section.units.filter((_, at) => headings.has(under[at] ?? ''))
  const lead = below(new Set([''])).filter(({ text }) => !isFact(text))
  const call = fitting(lead, MOST_CALL)
  const rest = ASKS_FOR_OUTPUT.test(question)
    ? fitting(below(OUTPUT), EXCERPT.together - lengthOf({ units: call }))
    : requestOf(below(INPUT), below(SAMPLE), EXCERPT.together - lengthOf({ units: call }))
  return { section, units: [...call, ...rest] }
}

/** The tables of parameters, of which the required ones are the most important, and the sample after them. */
function requestOf(inputs: readonly ScoredUnit[], samples: readonly ScoredUnit[], most: number): ScoredUnit[] {
  const code = samples.filter(({ kind }) => kind === 'code')
  const sample = fitting(code, Math.min(MOST_SAMPLE, most))
  const rows = inputs.filter(({ kind }) => kind === 'table').toSorted(requiredFirst)
  const shown = fitting(rows, most - lengthOf({ units: sample }))
  return [...shown.toSorted((a, b) => a.start - b.start), ...sample]
}

/** As many units as fit, in order. */
function fitting(units: readonly ScoredUnit[], most: number): ScoredUnit[] {
  let left = most
  const end = units.findIndex(({ text }) => (left -= text.length + 1) < 0)
  return units.slice(0, end < 0 ? undefined : end)
}

function requiredFirst(a: ScoredUnit, b: ScoredUnit): number {
  return Number(isRequired(b)) - Number(isRequired(a))
}

/** Rows say "yes" in the column of required parameters. A field of an optional object can be required in it only. */
const isRequired = ({ text }: ScoredUnit): boolean => /^\| `[^`.[]+` .*\| yes \|/.test(text)
