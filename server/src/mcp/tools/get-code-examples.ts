import { builtInTool } from '@docent/contract/tools'
import { z } from 'zod'
import { citationOf } from '../citation-of.ts'
import { collectExamples, type CodeExample } from '../code-examples.ts'
import { fence } from '../fence.ts'
import { framePassage, note } from '../frame.ts'
import { indexingNotes } from '../indexing-notes.ts'
import { packBlocks } from '../pack-blocks.ts'
import { resourceLinks } from '../resource-links.ts'
import { defineTool, READ_ONLY } from '../tool.ts'
import type { ToolContext } from '../tool-context.ts'

/** Passages looked through per example asked for: many hold no code of their own or repeat another's. */
const PASSAGES_AN_EXAMPLE = 3
const MOST_PASSAGES = 50

/** Bytes of passage text that are read to choose from; blocks that did not fit could not be given whole. */
const SEARCH_BUDGET = 60_000

/** Bytes of the whole text per example asked for, with a floor so that one long example fits. */
const BYTES_AN_EXAMPLE = 1_150
const LEAST_BYTES = 5_750

const input = z.object({
  task: z
    .string()
    .trim()
    .min(1)
    .max(4_000)
    .describe('What the code should do, or the function or option it should use'),
  language: z.string().max(40).optional().describe('Only code in this language, such as typescript or bash'),
  limit: z.int().min(1).max(20).default(5).describe('How many examples'),
})

export const getCodeExamples = defineTool<typeof input, ToolContext>({
  ...builtInTool('get_code_examples'),
  annotations: READ_ONLY,
  input,
  async call({ server, search }, { task, language, limit }, signal) {
    const request = {
      query: task,
      limit: Math.min(MOST_PASSAGES, limit * PASSAGES_AN_EXAMPLE),
      budget: SEARCH_BUDGET,
      code: language ?? (true as const),
    }
    const { passages } = await search(request, signal)
    const examples = collectExamples(passages, language ?? null, limit)

    const blocks = examples.map((example, index) => framePassage(index + 1, example, textOf(example)))
    const packed = packBlocks(blocks, Math.max(LEAST_BYTES, limit * BYTES_AN_EXAMPLE))
    const shown = examples.slice(0, packed.length)
    const notes = [
      ...(shown.length === 0 ? [nothingFound(language)] : []),
      ...(shown.length < examples.length
        ? [note(`${examples.length - shown.length} more did not fit. Ask for a narrower task, or open the sources.`)]
        : []),
      ...indexingNotes(server),
    ]
    return {
      content: [
        { type: 'text', text: [...packed, notes.join('\n')].filter(Boolean).join('\n\n') },
        ...resourceLinks(shown),
      ],
      structuredContent: { task, results: shown.map((example, index) => ({ rank: index + 1, ...example })) },
      citations: shown.map((example, index) => citationOf({ ...example, rank: index + 1 })),
    }
  },
})

/** The line above the block, then the block in a fence that nothing inside can close. */
function textOf({ context, language, text, alsoAt }: CodeExample): string {
  const elsewhere = alsoAt.length > 0 ? `Also at: ${alsoAt.join(', ')}` : ''
  return [context, fence(text, language ?? ''), elsewhere].filter(Boolean).join('\n\n')
}

function nothingFound(language: string | undefined): string {
  const widen = language === undefined ? 'other words' : `other words, or leave out the language "${language}"`
  return note(`The sources hold no code example for this. Try ${widen}; search_docs also finds text without code.`)
}
