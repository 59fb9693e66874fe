import { sourceKind } from '@docent/contract/source-kinds'
import { builtInTool } from '@docent/contract/tools'
import { z } from 'zod'
import type { RemarkedAnswer } from '#answer/answer.ts'
import { answerByModel } from '#answer/by-model.ts'
import { EVIDENCE } from '#answer/evidence-size.ts'
import { answerFromPassages } from '#answer/extractive.ts'
import { askedEndpoint } from '#library/reference/asked-endpoint.ts'
import { namedPassages } from '#library/reference/named-passages.ts'
import type { Passage } from '#search/passage.ts'
import { citationOf } from '../citation-of.ts'
import { citationLines, oneLine, quote } from '../frame.ts'
import { indexingNotes } from '../indexing-notes.ts'
import { citedMembers } from '../output-members.ts'
import { defineTool, READ_ONLY } from '../tool.ts'
import type { ToolContext } from '../tool-context.ts'

const input = z.object({
  question: z.string().trim().min(1).max(4_000).describe('The question, in plain words'),
})

const output = z.object({
  question: z.string(),
  answer: z.string().describe('Markdown in which [n] marks what rests on citation n'),
  confidence: z.enum(['high', 'medium', 'low', 'none']),
  citations: z.array(
    z.object({ n: z.int(), ...citedMembers, quote: z.string().describe('Of the source, word for word') }),
  ),
  followUps: z.array(z.string()).optional(),
})

export const askQuestion = defineTool<typeof input, typeof output, ToolContext>({
  ...builtInTool('ask_question'),
  annotations: READ_ONLY,
  input,
  output,
  async call(context, { question }, signal) {
    const { server, library, model, reportFailure } = context
    const result = await context.search({ query: question, ...EVIDENCE }, signal)
    const named = await namedPassages(library, question, result.passages[0]?.score ?? 0)
    const endpoint = await endpointOf(context, question, { passages: result.passages, signal })
    const first = endpoint ? [endpoint, ...named.filter(({ url }) => url !== endpoint.url)] : named
    const found = { ...result, passages: withNamed(first, result.passages), endpoint }
    const { answer, confidence, citations, followUps, remark, isExtractive }: RemarkedAnswer = model
      ? await answerByModel({ model, onFailure: reportFailure }, question, found, signal)
      : answerFromPassages(question, found)
    const isQuoted = confidence !== 'none' && (model === null || isExtractive === true)
    const text = [quote(answer), ...citations.map((citation) => citationLines(citation.n, citation))].join('\n\n')
    const notes = [
      `Confidence: ${confidence}.${isQuoted ? ' Quoted from the sources word for word.' : ''}`,
      ...(remark === undefined ? [] : [remark]),
      ...(followUps.length === 0 ? [] : [`Related, to ask next: ${followUps.map((one) => oneLine(one)).join(' · ')}`]),
      ...indexingNotes(server),
    ]
    return {
      text,
      notes,
      data: {
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

/** Candidate operations per question. */
const OPERATIONS = { limit: 20, budget: 40_000 } as const

/**
 * Finds the API operation that does what the question asks. It can be in a separate description or among other files.
 */
async function endpointOf(
  { server, library, search }: ToolContext,
  question: string,
  { passages, signal }: { passages: readonly Passage[]; signal: AbortSignal | undefined },
): Promise<Passage | null> {
  const hasApi = server.sources.some(({ type }) => sourceKind(type).describesApi)
  const operations = hasApi ? (await search({ query: question, type: 'api', ...OPERATIONS }, signal)).passages : []
  const endpoint = await askedEndpoint(library, question, [...operations, ...passages])
  // Scores of two searches are not comparable, and this one is at least equal to the best.
  return endpoint && { ...endpoint, score: Math.max(endpoint.score, passages[0]?.score ?? 0) }
}

/** Puts the items named in the question first, in place of the last passages. */
function withNamed(named: readonly Passage[], passages: readonly Passage[]): Passage[] {
  const urls = new Set(named.map(({ url }) => url))
  const others = passages.filter(({ url }) => !urls.has(url))
  return [...named, ...others].slice(0, Math.max(passages.length, named.length))
}
