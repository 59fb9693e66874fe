import { createInterface } from 'node:readline/promises'
import type { Stop } from '../catch-stop.ts'
import type { Terminal } from '../terminal.ts'
import { type AnswerContent, askQuestion } from './ask-question.ts'
import type { DocentApi } from './docent-api.ts'
import { wrapText } from './wrap-text.ts'

/** Answers typed questions with citations until Ctrl-C or Ctrl-D. */
export async function converse(terminal: Terminal, api: DocentApi, slug: string, stop: Stop): Promise<void> {
  using lines = createInterface({ input: terminal.stdin, output: terminal.stderr })
  // During a prompt the terminal passes Ctrl-C to the reader instead of sending the signal.
  lines.on('SIGINT', stop.request)
  lines.on('close', stop.request)
  while (!stop.signal.aborted) {
    const question = await ask(lines, terminal, stop)
    if (!question) continue
    try {
      const answer = await askQuestion(api, slug, question, stop.signal)
      terminal.err(formatAnswer(terminal, answer))
    } catch (error) {
      if (stop.signal.aborted) return
      terminal.err(`\n${error instanceof Error ? error.message : String(error)}\n\n`)
    }
  }
}

async function ask(lines: ReturnType<typeof createInterface>, { colors }: Terminal, stop: Stop): Promise<string> {
  try {
    return (await lines.question(colors.bold('Ask: '), { signal: stop.signal })).trim()
  } catch (error) {
    if (stop.signal.aborted) return ''
    throw error
  }
}

/** The unchanged answer, followed by its citations. */
export function formatAnswer(
  { colors, columns }: Pick<Terminal, 'colors' | 'columns'>,
  { answer, confidence, citations }: Omit<AnswerContent, 'notes'>,
): string {
  const sources = citations.map(({ n, title, heading, url }) => {
    return `  [${n}] ${title}${heading ? ` › ${heading}` : ''}\n      ${colors.cyan(url)}\n`
  })
  return `\n${wrapText(answer, columns)}\n\n${sources.join('')}${colors.dim(`  Confidence: ${confidence}`)}\n\n`
}
