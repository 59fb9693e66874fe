import { connectConfigured } from '../connect-configured.ts'
import { EXIT } from '../exit-codes.ts'
import type { Terminal } from '../terminal.ts'
import { askQuestion } from '../try/ask-question.ts'
import { formatAnswer } from '../try/converse.ts'

type Wanted = { server: string; question: string; asJson: boolean }

/** `docent ask`: asks a public server one question and prints its answer with citations on standard output. */
export async function ask(terminal: Terminal, { server, question, asJson }: Wanted): Promise<number> {
  const answer = await askQuestion(connectConfigured(), server, question)
  terminal.out(asJson ? `${JSON.stringify(answer, null, 2)}\n` : formatAnswer(terminal, answer))
  return EXIT.ok
}
