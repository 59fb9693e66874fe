import { z } from 'zod'
import { defineReader } from '../definition/tool.ts'
import { collectExamples, type CodeExample } from '../passages/code-examples.ts'
import { cursorArgument, sourceArgument, textArgument } from '../arguments/shared-arguments.ts'
import { fence, paragraphs } from '../passages/format-citation.ts'
import { sourceScope } from '../arguments/named-source.ts'
import { type EntryOf, pagedAnswer, pagedOutput } from '../results/paged-answer.ts'
import { bytesFor } from '../results/search-answer.ts'
import { roundScore, codeMember, scoreMember } from '../definition/tool-result.ts'
import { withWholeBlocks } from '../passages/whole-blocks.ts'

/** Passages searched for code, for all pages of an answer. Many contain none, or repeat another's. */
const PASSAGES = 30

/** Bytes of passage text to choose from. Larger blocks could not be returned whole. */
const SEARCH_BUDGET = 60_000

const input = z.object({
  task: textArgument(4_000, 'What the code should do, or the function or option it should use'),
  language: z
    .string()
    .max(200)
    .optional()
    .describe('Only code in this language, such as typescript or bash. Several are separated by commas'),
  source: sourceArgument,
  limit: z.int().min(1).max(20).default(5).describe('How many examples'),
  cursor: cursorArgument,
})

/** Members of a code example in structured content. */
const exampleResult = {
  score: scoreMember,
  ...codeMember.shape,
  context: z.string().describe('The line of text above the code, or empty'),
  runnable: z.boolean().describe('Looks complete enough to be run as it is'),
  alsoAt: z.array(z.string()).describe('Other places with the same code'),
}

export const getCodeExamples = defineReader('get_code_examples', {
  input,
  output: pagedOutput({ task: z.string() }, exampleResult),
  async call(context, { cursor, limit, ...asked }, signal) {
    const { task, language = null, source } = asked
    const { library, server } = context
    const scope = sourceScope(server, source)
    const request = { query: task, limit: PASSAGES, budget: SEARCH_BUDGET, code: language ?? (true as const), ...scope }
    const { passages } = await context.search(request, signal)
    const whole = await withWholeBlocks(library, passages)
    const widen = language === null ? 'other words' : `other words, or leave out the language "${language}"`
    const paging = { tool: 'get_code_examples', asked, cursor, limit }
    return pagedAnswer(context, paging, {
      bytes: bytesFor(limit),
      entries: collectExamples(whole, { task, language, analyse: library.analyserOf('en') }).map(exampleEntry),
      // Those that can run come first.
      arrange: (shown) => shown.toSorted((a, b) => Number(b.data.runnable) - Number(a.data.runnable)),
      nothing: `The sources hold no code example for this. Try ${widen}; search_docs also finds text without code.`,
      about: { task },
    })
  },
})

/** The line above the block, then the block in a fence that its content cannot close. */
function exampleEntry({ title, heading, url, sourceId, ...example }: CodeExample): EntryOf<typeof exampleResult> {
  const { score, context, language, text, alsoAt } = example
  const elsewhere = alsoAt.length > 0 ? `Also at: ${alsoAt.join(', ')}` : ''
  const shown = paragraphs(context, fence(text, language ?? ''), elsewhere)
  return { title, heading, url, sourceId, score, text: shown, data: { ...example, score: roundScore(score) } }
}
