import { z } from 'zod'
import { textArgument, versionArgument } from '../arguments/shared-arguments.ts'
import { MODEL_FAILURES, type RemarkedAnswer } from '#answer/answer.ts'
import { knownVersion } from '../arguments/named-source.ts'
import { within } from '../arguments/within.ts'
import { answerByModel } from '#answer/by-model.ts'
import { answerFromPassages } from '#answer/extractive.ts'
import { findForQuestion } from '#answer/question-parts.ts'
import { withAskedPassages } from '#documents/reference/asked-passages.ts'
import { citationOf, defineReader } from '../definition/tool.ts'
import { citationLines, oneLine, quote } from '../passages/format-citation.ts'
import { ageNotes } from '../results/page-ages.ts'
import { followUpsOf } from '../results/follow-ups.ts'
import { outcomeOfAnswer } from '../definition/outcome.ts'
import { indexingNotes, citedMembers } from '../definition/tool-result.ts'

const input = z.object({
  question: textArgument(4_000, 'The question, in plain words'),
  version: versionArgument,
})

const output = z.object({
  question: z.string(),
  answer: z.string().describe('Markdown in which [n] marks what rests on citation n'),
  confidence: z.enum(['high', 'medium', 'low', 'none']),
  citations: z.array(
    z.object({ n: z.int(), ...citedMembers, quote: z.string().describe('Of the source, word for word') }),
  ),
  followUps: z.array(z.string()).optional(),
  pinned: z.literal(true).optional().describe('The owner of the server chose the first citation for this question'),
  modelFailure: z
    .enum(MODEL_FAILURES)
    .optional()
    .describe('Why the answer of the language model was not used; absent if it was, or without a model'),
})

const PINNED = 'The owner of this server chose the section at [1] for this question.'

export const askQuestion = defineReader('ask_question', {
  input,
  output,
  async call(whole, { question, version: asked }, signal) {
    const { version, notes: versionNotes } = await knownVersion(whole.library, asked, {})
    const context = version === undefined ? whole : { ...whole, ...within(whole, { version }) }
    const { server, model, reportFailure, report } = context
    const found = await findForQuestion(question, async (query, size, subject) => {
      const result = await context.search({ query, ...size }, signal)
      const found = await withAskedPassages(context, { question: query, subject, result }, signal)
      return { ...found, analyserOf: context.library.analyserOf }
    })
    const { answer, confidence, citations, remark, isExtractive, failure }: RemarkedAnswer = model
      ? await answerByModel({ model, onFailure: reportFailure, report }, question, found, signal)
      : answerFromPassages(question, found)
    const isPinned = found.pinned?.some(({ url }) => url === citations[0]?.url) === true
    const isQuoted = (confidence !== 'none' || isPinned) && (model === null || isExtractive === true)
    const passages = [found, ...(found.parts ?? []).map((part) => part.found)].flatMap((each) => each.passages)
    const stored = (await context.loadQuestions?.()) ?? []
    const followUps = followUpsOf(stored, { question, cited: citations, found: passages })
    const text = [quote(answer), ...citations.map((citation) => citationLines(citation.n, citation))].join('\n\n')
    const notes = [
      `Confidence: ${confidence}.${isQuoted ? ' Quoted from the sources word for word.' : ''}`,
      ...versionNotes,
      ...(isPinned ? [PINNED] : []),
      ...(remark === undefined ? [] : [remark]),
      ...(followUps.length === 0 ? [] : [`Related, to ask next: ${followUps.map((one) => oneLine(one)).join(' · ')}`]),
      ...(await ageNotes(context, citations)),
      ...indexingNotes(server),
    ]
    return {
      text,
      lead: quote(answer),
      passages: citations.map(({ n, title, heading, url }) => ({ n, title, heading, url, text: '' })),
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
        ...(isPinned ? { pinned: true as const } : {}),
        ...(failure ? { modelFailure: failure } : {}),
      },
      citations: citations.map((citation) => citationOf({ ...citation, rank: citation.n })),
      // The owner says that the section answers it, however little of the question it has.
      outcome: isPinned ? 'answered' : outcomeOfAnswer(confidence),
      confidence,
      ...(failure && remark ? { failure: remark } : {}),
    }
  },
})
