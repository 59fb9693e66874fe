import { builtInTool } from '@docent/contract/tools'
import { z } from 'zod'
import { answerFromPassages } from '#answer/extractive.ts'
import { citationOf } from '../citation-of.ts'
import { citationLines, note, quote } from '../frame.ts'
import { indexingNotes } from '../indexing-notes.ts'
import { resourceLinks } from '../resource-links.ts'
import { defineTool, READ_ONLY } from '../tool.ts'
import type { ToolContext } from '../tool-context.ts'

/** Passages read for one answer, and their bytes: more finds little further and costs time. */
const PASSAGES = 8
const PASSAGE_BYTES = 12_000

const input = z.object({
  question: z.string().trim().min(1).max(4_000).describe('The question, in plain words'),
})

export const askQuestion = defineTool<typeof input, ToolContext>({
  ...builtInTool('ask_question'),
  annotations: READ_ONLY,
  input,
  async call({ server, search }, { question }, signal) {
    const { passages } = await search({ query: question, limit: PASSAGES, budget: PASSAGE_BYTES }, signal)
    const { answer, confidence, citations } = answerFromPassages(question, passages)
    const text = [
      quote(answer),
      ...citations.map((citation) => citationLines(citation.n, citation)),
      [note(`Confidence: ${confidence}.`), ...indexingNotes(server)].join('\n'),
    ].join('\n\n')
    return {
      content: [{ type: 'text', text }, ...resourceLinks(citations)],
      structuredContent: {
        question,
        answer,
        confidence,
        citations: citations.map(({ n, title, heading, url, sourceId, quote: words }) => ({
          n,
          title,
          heading,
          url,
          sourceId,
          quote: words,
        })),
      },
      citations: citations.map((citation) => citationOf({ ...citation, rank: citation.n })),
      confidence,
    }
  },
})
