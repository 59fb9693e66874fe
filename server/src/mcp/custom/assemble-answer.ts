import { piecesOf } from '#documents/model/read-block.ts'
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
})

type Numbered = Found & { section: string | undefined }
type Section = { heading: string | undefined; lead: string; found: Numbered[] }

/** Puts the results of all steps together, numbered throughout, each passage once. */
export function assembleAnswer(
  { output: { form } }: Pick<CustomToolPlan, 'output'>,
  results: readonly StepResult[],
): ToolAnswer<z.output<typeof customOutput>> {
  const sections = numbered(results)
  const all = sections.flatMap(({ found }) => found)
  const fitting = new Set(all.slice(0, packBlocks(all.map(framed), BYTES).length))
  const shown = sections.map((section) => ({ ...section, found: section.found.filter((each) => fitting.has(each)) }))
  const flat = shown.flatMap(({ found }) => found)
  const above = form === 'table' ? [tableOf(flat)] : form === 'checklist' ? [checklistOf(flat)] : []
  const parts = shown.flatMap((section) => write(section, { withHeading: form !== 'list' && form !== 'checklist' }))
  const lead = results.find((each) => each.lead !== '')
  const confidence = lead?.confidence
  const outcome = outcomeOfSteps(results.map((each) => each.outcome))
  const failure = outcome === 'failed' ? results.flatMap((each) => each.failure ?? [])[0] : undefined
  return {
    text: [...(flat.length > 0 ? above : []), ...parts].join('\n\n'),
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
    },
    citations: flat.flatMap(({ n, citation }) => (citation ? [citationOf({ ...citation, rank: n })] : [])),
    outcome,
    ...defined({ confidence, failure }),
  }
}

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

function tableOf(found: readonly Numbered[]): string {
  const hasSections = new Set(found.map(({ section }) => section)).size > 1
  const columns = [...(hasSections ? ['About'] : []), 'Name', 'What it says', 'Result']
  const rows = found.map((each) => [
    ...(hasSections ? [each.section ?? ''] : []),
    nameOf(each),
    firstStatement(each.text),
    `[${each.n}]`,
  ])
  return [columns, columns.map(() => '---'), ...rows].map(rowOf).join('\n')
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.map((cell) => oneLine(cell).replaceAll('|', '\\|')).join(' | ')} |`
}

function checklistOf(found: readonly Numbered[]): string {
  return found.map((each) => `- [ ] ${oneLine(pointOf(each), 200)} [${each.n}]`).join('\n')
}

function pointOf(found: Found): string {
  const name = nameOf(found)
  const statement = firstStatement(found.text)
  return statement === '' || statement.includes(name) ? statement || name : `${name}: ${statement}`
}

function nameOf({ title, heading, headings = [heading] }: Found): string {
  return headings.at(-1) || title
}

/** Beginnings of paragraphs that are no sentence: rules, pictures, tags, labels of steps. */
const NO_SENTENCE = /^(?:[-=*_]{3,}\s*$|Step \d+, |<|!\[|:::|\{%)/
const MOST = 180
/** Maximum characters read: a code block can be long. */
const MOST_READ = 12_000

/** The first sentence of a passage in Markdown, without code and markup. Empty if there is none. */
function firstStatement(text: string): string {
  const beginning = text.slice(0, MOST_READ)
  const [said = ''] = piecesOf(beginning)
    .filter(({ kind }) => kind === 'paragraph' || kind === 'item')
    .map(({ start, end }) => beginning.slice(start, end).trim())
    .filter((piece) => !NO_SENTENCE.test(piece))
  const paragraph = said
    .replaceAll(/\s+/g, ' ')
    .replace(/^(?:[-*+]|\d{1,3}[.)])\s/, '')
    .slice(0, 600)
  const end = /[.!?。！？](?=\s|$)/.exec(paragraph)
  const sentence = end ? paragraph.slice(0, end.index + 1) : paragraph
  return sentence.length <= MOST ? sentence : `${sentence.slice(0, MOST - 1).toWellFormed()}…`
}
