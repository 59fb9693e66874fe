import type { ProposedQuestion } from '#documents/questions/propose-questions.ts'
import { withoutSection } from '#lib/addresses/page-address.ts'
import type { ToolContext } from '../definition/tool.ts'
import { askQuestion } from './ask-question.ts'

/**
 * The confidence of the answer to a question. Null if `ask_question` does not answer it, or does not first of all quote the
 * beginning of the part that the question was made from.
 */
export async function proveQuestion(
  context: ToolContext,
  { question, page, part }: ProposedQuestion,
  signal?: AbortSignal,
): Promise<'high' | 'medium' | null> {
  const { outcome, confidence, structuredContent } = await askQuestion.prepare({ question })(context, signal)
  const [first] = (structuredContent?.['citations'] ?? []) as { url: string; quote: string }[]
  if (outcome !== 'answered' || first === undefined || withoutSection(first.url) !== withoutSection(page)) return null
  const [opened] = await context.library.open(await context.library.pagesAt([page]))
  if (!opened || !beginsWith(opened.markdown.slice(part.start, part.end).trimStart(), first.quote)) return null
  return confidence === 'high' ? 'high' : 'medium'
}

/** True if a quote begins a part, with its first line or below it: a heading, or the name of an entry. */
function beginsWith(part: string, quote: string): boolean {
  const [first = ''] = part.split('\n', 1)
  const rest = part.slice(first.length).replace(/^[\s:]+/, '')
  return [part, rest].some((text) => plain(text).startsWith(plain(quote)))
}

const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
