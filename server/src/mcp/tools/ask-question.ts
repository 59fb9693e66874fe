import { builtInTool } from '@docent/contract/tools'
import { z } from 'zod'
import type { RemarkedAnswer } from '#answer/answer.ts'
import { answerByModel } from '#answer/by-model.ts'
import { EVIDENCE } from '#answer/evidence-size.ts'
import { answerFromPassages } from '#answer/extractive.ts'
import { citationOf } from '../citation-of.ts'
import { citationLines, note, oneLine, quote } from '../frame.ts'
import { indexingNotes } from '../indexing-notes.ts'
import { resourceLinks } from '../resource-links.ts'
import { searchInTurn } from '../search-in-turn.ts'
import { defineTool, READ_ONLY } from '../tool.ts'
import type { ToolContext } from '../tool-context.ts'

const input = z.object({
  question: z.string().trim().min(1).max(4_000).describe('The question, in plain words'),
})

export const askQuestion = defineTool<typeof input, ToolContext>({
  ...builtInTool('ask_question'),
  annotations: READ_ONLY,
  input,
  async call(context, { question }, signal) {
    const { server, model, reportFailure } = context
    const found = await searchInTurn(context, { query: question, ...EVIDENCE }, signal)
    const { answer, confidence, citations, followUps, remark, isExtractive }: RemarkedAnswer = model
      ? await answerByModel({ model, onFailure: reportFailure }, question, found, signal)
      : answerFromPassages(question, found)
    const isQuoted = confidence !== 'none' && (model === null || isExtractive === true)
    const text = [
      quote(answer),
      ...citations.map((citation) => citationLines(citation.n, citation)),
      [
        note(`Confidence: ${confidence}.${isQuoted ? ' Quoted from the sources word for word.' : ''}`),
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
