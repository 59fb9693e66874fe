import { builtInTool } from '@docent/contract/tools'
import { z } from 'zod'
import type { RemarkedAnswer } from '#answer/answer.ts'
import { answerByModel } from '#answer/by-model.ts'
import { answerFromPassages } from '#answer/extractive.ts'
import { citationOf } from '../citation-of.ts'
import { citationLines, note, oneLine, quote } from '../frame.ts'
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
  async call({ server, search, model, reportFailure }, { question }, signal) {
    const { passages } = await search({ query: question, limit: PASSAGES, budget: PASSAGE_BYTES }, signal)
    const { answer, confidence, citations, followUps, remark }: RemarkedAnswer = model
      ? await answerByModel({ model, onFailure: reportFailure }, question, passages, signal)
      : answerFromPassages(question, passages)
    const text = [
      quote(answer),
      ...citations.map((citation) => citationLines(citation.n, citation)),
      [
        note(`Confidence: ${confidence}.`),
        ...(remark === undefined ? [] : [note(remark)]),
        ...(followUps.length === 0
          ? []
          : [note(`Related, to ask next: ${followUps.map((one) => oneLine(one)).join(' · ')}`)]),
        ...indexingNotes(server),
      ].join('\n'),
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
        ...(followUps.length > 0 ? { followUps } : {}),
      },
      citations: citations.map((citation) => citationOf({ ...citation, rank: citation.n })),
      confidence,
    }
  },
})
