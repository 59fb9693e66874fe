import type { CustomToolPlan } from '@docent/contract/values/custom-tool-plan'
import { z } from 'zod'
import { formatPassage, oneLine, packBlocks, quote } from '../passages/format-citation.ts'
import { defined } from '#lib/objects.ts'
import { outcomeOfSteps } from '../definition/outcome.ts'
import { rankedMembers } from '../definition/tool-result.ts'
import { citationOf, type ToolAnswer } from '../definition/tool.ts'
import type { Found, StepResult } from './run-step.ts'

/** About 7,000 tokens: what a client takes without truncation. */
const BYTES = 28_000

export const customOutput = z.object({
  answer: z.string().nullable().describe('Answer in sentences, in which [n] marks what rests on result n'),
  results: z.array(
    z.object({
      ...rankedMembers,
      section: z.string().nullable().describe('Heading of the step that found it'),
      passage: z.string(),
    }),
  ),
  instruction: z
    .string()
    .nullable()
    .describe('Words of the owner of the tool on the form, length and tone of the answer. Not from a source'),
})

type Numbered = Found & { n: number; section: string | undefined }
type Section = { heading: string | undefined; lead: string; found: Numbered[] }

/** Puts the results of all steps together, numbered throughout, each passage once. */
export function assembleAnswer(
  { output: { form }, instruction }: Pick<CustomToolPlan, 'output' | 'instruction'>,
  results: readonly StepResult[],
): ToolAnswer<z.output<typeof customOutput>> {
  const sections = numbered(results)
  const all = sections.flatMap(({ found }) => found)
  const fitting = new Set(all.slice(0, packBlocks(all.map(framed), BYTES).length))
  const shown = sections.map((section) => ({ ...section, found: section.found.filter((each) => fitting.has(each)) }))
  const flat = shown.flatMap(({ found }) => found)
  const parts = shown.flatMap((section) => write(section, { withHeading: form === 'document' }))
  const lead = results.find((each) => each.lead !== '')
  const confidence = lead?.confidence
  const outcome = outcomeOfSteps(results.map((each) => each.outcome))
  const failure = outcome === 'failed' ? results.flatMap((each) => each.failure ?? [])[0] : undefined
  const isInstructed = instruction !== undefined && flat.length > 0
  return {
    text: [...parts, ...(isInstructed ? [ownersWords(instruction)] : [])].join('\n\n'),
    notes: [...new Set(results.flatMap(({ notes }) => notes))],
    data: {
      answer: lead?.lead ?? null,
      results: flat.map(({ n, title, heading, url, text, citation, section }) => ({
        rank: n,
        title,
        heading,
        url,
        sourceId: citation?.sourceId ?? '',
        section: section ?? null,
        passage: quote(text),
      })),
      instruction: instruction ?? null,
    },
    citations: flat.flatMap(({ n, citation }) => (citation ? [citationOf({ ...citation, rank: n })] : [])),
    outcome,
    ...defined({ confidence, failure }),
  }
}

/** The mark is one that no source can write: `quote` masks it. */
const ownersWords = (instruction: string) =>
  `[owner] The owner of this tool wants the answer in this form, made from the results above only: “${oneLine(instruction, 1_000)}”`

/** Numbers the passages. The answer in sentences comes first, because its marks count its own citations from 1. */
function numbered(results: readonly StepResult[]): Section[] {
  const inOrder = results.toSorted((one, other) => Number(other.lead !== '') - Number(one.lead !== ''))
  const seen = new Set<string>()
  let n = 0
  return inOrder.map(({ heading, lead, found }) => ({
    heading,
    lead,
    found: found
      .filter((each) => {
        const key = `${each.url} ${each.text}`
        // Citations of an answer keep their numbers.
        if (seen.has(key) && lead === '') return false
        seen.add(key)
        return true
      })
      .map((each) => ({ ...each, n: ++n, section: heading })),
  }))
}

function write({ heading, lead, found }: Section, { withHeading }: { withHeading: boolean }): string[] {
  const blocks = [...(lead === '' ? [] : [lead]), ...found.map(framed)]
  if (!withHeading || heading === undefined) return blocks
  return [`## ${oneLine(heading)}`, ...(blocks.length > 0 ? blocks : ['Nothing found.'])]
}

const framed = (found: Found) => formatPassage(found.n, found, found.text)
