import type { EmbedToolName } from '@docent/contract/values/embed-tools'
import type { AnswerFailure } from '#answer/answer.ts'
import { blocksOf } from '#answer/blocks.ts'
import type { EmbeddedAnswer } from '#answer/embedded.ts'
import { failureRemark } from '#answer/model-failure.ts'
import { fence, oneLine } from '#mcp/passages/frame.ts'
import type { SerialisedResult } from '#mcp/definition/serialised-result.ts'

type Place = { title: string; heading: string; url: string }
/** The structured content of the tools, as far as it is used here. Each tool declares and tests its own. */
type Content = {
  answer?: string
  confidence?: EmbeddedAnswer['confidence']
  citations?: (Place & { n: number })[]
  followUps?: string[]
  modelFailure?: AnswerFailure
  results?: (Place & { rank: number; passage?: string; text?: string; language?: string | null; context?: string })[]
}

/** Characters of a passage in a list of results. The address leads to the rest. */
const EXCERPT = 500

const NOTHING = 'Nothing in the sources matches. Try other words.'

/** Converts the structured result of a tool: the citations, then the Markdown in parts. */
export function embeddedAnswer(tool: EmbedToolName, { members }: SerialisedResult): EmbeddedAnswer {
  const { structuredContent: content } = JSON.parse(`{${Buffer.from(members).toString()}}`) as {
    structuredContent: Content
  }
  if (tool === 'ask_question') {
    const { answer = '', confidence = null, citations = [], followUps = [], modelFailure } = content
    const remark = modelFailure === undefined ? null : failureRemark(modelFailure)
    const cited = citations.map((one) => citation(one.n, one))
    return { citations: cited, parts: partsOf(answer), confidence, followUps, remark }
  }
  const results = content.results ?? []
  const parts = results.map((result) => {
    const { rank, title, heading, passage = '', text = '', language, context = '' } = result
    if (tool === 'get_code_examples') return [`${plain(context)} [${rank}]`, fence(text, language ?? '')].join('\n\n')
    return [`**${plain(oneLine(heading ? `${title} › ${heading}` : title))}** [${rank}]`, excerpt(passage)].join('\n\n')
  })
  return {
    citations: results.map((one) => citation(one.rank, one)),
    parts: parts.length > 0 ? parts.map((part) => `${part}\n\n`) : [NOTHING],
    confidence: null,
    followUps: [],
    remark: null,
  }
}

const citation = (n: number, { title, heading, url }: Place) => ({ n, title, heading, url })

/** The blocks of the answer with the space between them. Their concatenation is the answer. */
function partsOf(answer: string): string[] {
  const starts = blocksOf(answer).map(({ start }) => start)
  const cuts = [0, ...starts.slice(1), answer.length]
  return cuts.slice(1).map((end, index) => answer.slice(cuts[index], end))
}

/** The first blocks of a passage, at least one, without the heading, which is shown already. */
function excerpt(text: string): string {
  const passage = text.replace(/^#{1,6} [^\n]*\n+/, '')
  const blocks = blocksOf(passage)
  const end = blocks.find((block) => block.end >= EXCERPT)?.end ?? passage.length
  return passage.slice(0, end).replaceAll(/\[(\d+)\]/g, '\\[$1]')
}

/** Source text as Markdown text. */
const plain = (text: string): string => text.replaceAll(/[\\`*_[\]]/g, '\\$&')
