import type { ProposedQuestion } from '#documents/questions/propose-questions.ts'
import { withoutSection } from '#lib/addresses/page-address.ts'
import type { ToolContext } from '../definition/tool.ts'
import { askQuestion } from './ask-question.ts'

/**
 * The confidence of the answer to a question. Null if `ask_question` does not answer it, or not first of all from the part
 * of the page that the question was made from.
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
  const isOwn = opened && plain(opened.markdown.slice(part.start, part.end)).includes(plain(first.quote))
  return isOwn ? (confidence === 'high' ? 'high' : 'medium') : null
}

const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
