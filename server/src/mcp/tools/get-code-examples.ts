import { z } from 'zod'
import { citationOf, defineReader } from '../definition/tool.ts'
import { collectExamples, runnableFirst, type CodeExample } from '../passages/code-examples.ts'
import { readCursor, writeCursor, cursorArgument, sourceArgument, textArgument } from '../arguments/shared-arguments.ts'
import { formatPassage, fence, packBlocks } from '../passages/format-citation.ts'
import { indexingNotes } from '../passages/indexing-notes.ts'
import { sourceScope } from '../arguments/named-source.ts'
import { nextCursorMember, roundScore, codeMember, rankedMembers, scoreMember } from '../definition/tool-result.ts'
import { withWholeBlocks } from '../passages/whole-blocks.ts'

/**
 * Passages searched for code: many contain none, or repeat another's. Scaled by page, so that a continuation has the
 * same examples.
 */
const PASSAGES = 30

/** Bytes of passage text to choose from. Larger blocks could not be returned whole. */
const SEARCH_BUDGET = 60_000

/** Bytes of text per requested example, with a minimum so that one long example fits. */
const BYTES_AN_EXAMPLE = 1_150
const LEAST_BYTES = 5_750

const input = z.object({
  task: textArgument(4_000, 'What the code should do, or the function or option it should use'),
  language: z.string().max(40).optional().describe('Only code in this language, such as typescript or bash'),
  source: sourceArgument,
  limit: z.int().min(1).max(20).default(5).describe('How many examples'),
  cursor: cursorArgument,
})

/** A code example in structured content. */
const exampleResult = z.object({
  ...rankedMembers,
  score: scoreMember,
  ...codeMember.shape,
  context: z.string().describe('The line of text above the code, or empty'),
  runnable: z.boolean().describe('Looks complete enough to be run as it is'),
  alsoAt: z.array(z.string()).describe('Other places with the same code'),
})

const output = z.object({
  task: z.string(),
  results: z.array(exampleResult),
  nextCursor: nextCursorMember,
})

export const getCodeExamples = defineReader('get_code_examples', {
  input,
  output,
  async call(context, { task, language, source, limit, cursor }, signal) {
    const { server, library } = context
    const scope = JSON.stringify([task, language, source])
    const offset = cursor === undefined ? 0 : readCursor(cursor, scope)
    const request = {
      query: task,
      limit: PASSAGES,
      budget: SEARCH_BUDGET,
      code: language ?? (true as const),
      ...sourceScope(server, source),
    }
    const { passages } = await context.search(request, signal)
    const whole = await withWholeBlocks(library, passages)
    const asked = { task, language: language ?? null, analyse: library.analyserOf('en') }
    const examples = collectExamples(whole, asked).slice(offset)

    const framed = (list: readonly CodeExample[]) =>
      list.map((example, index) => formatPassage(offset + index + 1, example, exampleText(example)))
    const bytes = Math.max(LEAST_BYTES, limit * BYTES_AN_EXAMPLE)
    const fitting = packBlocks(framed(examples.slice(0, limit)), bytes).length
    const shown = runnableFirst(examples.slice(0, fitting))
    const packed = packBlocks(framed(shown), bytes)
    const nextCursor = shown.length < examples.length ? writeCursor(offset + shown.length, scope) : undefined
    const notes = [
      ...(shown.length === 0 ? [nothingFound(offset, language)] : []),
      ...(nextCursor === undefined ? [] : [`More: call get_code_examples again with cursor "${nextCursor}".`]),
      ...indexingNotes(server),
    ]
    return {
      text: packed.join('\n\n'),
      passages: shown.map((example, index) => ({ ...example, n: offset + index + 1, text: exampleText(example) })),
      notes,
      data: {
        task,
        results: shown.map((example, index) => ({
          rank: offset + index + 1,
          ...example,
          score: roundScore(example.score),
        })),
        ...(nextCursor === undefined ? {} : { nextCursor }),
      },
      citations: shown.map((example, index) => citationOf({ ...example, rank: offset + index + 1 })),
    }
  },
})

function nothingFound(offset: number, language: string | undefined): string {
  if (offset > 0) return 'There are no further examples.'
  const widen = language === undefined ? 'other words' : `other words, or leave out the language "${language}"`
  return `The sources hold no code example for this. Try ${widen}; search_docs also finds text without code.`
}

/** The line above the block, then the block in a fence that its content cannot close. */
function exampleText({ context, language, text, alsoAt }: CodeExample): string {
  const elsewhere = alsoAt.length > 0 ? `Also at: ${alsoAt.join(', ')}` : ''
  return [context, fence(text, language ?? ''), elsewhere].filter(Boolean).join('\n\n')
}
