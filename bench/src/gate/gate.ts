import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { UsageError } from '#lib/usage-error.ts'
import { answerSets, openSets, rankSets } from './development-sets.ts'
import { FROZEN, readGateQuestions } from './gate-questions.ts'
import { askGate, figuresOf, type GateResult } from './measure-gate.ts'
import { indexDocs, openDocs } from './open-docs.ts'
import { compareFigures, type Figures, recordedFigures, recordFigures } from './recorded-figures.ts'

/**
 * Measures search and answers with questions over a frozen copy of Docent's own documents, and compares the figures with
 * the recorded ones. `--sets` also measures the development sets of `DOCENT_TEST_CORPORA`. `--misses` lists the questions
 * that are not answered rightly, `--details` writes all results to a file, and `--record` replaces the recorded figures.
 */
export async function run(args: string[]): Promise<Record<string, unknown>> {
  const flag = { type: 'boolean', default: false } as const
  const options = { record: flag, misses: flag, sets: flag, details: { type: 'string' } } as const
  const { record, misses, sets, details } = parseArgs({ args, options }).values
  const results = await askGate(openDocs(indexDocs(FROZEN)), readGateQuestions())
  if (details !== undefined) writeFileSync(resolve(details), JSON.stringify(results, null, 1))
  if (misses) process.stderr.write(results.filter(isMiss).map(lineOf).join(''))
  const parts = { questions: figuresOf(results), ...(sets ? await measureSets() : {}) }
  const compared = Object.entries(parts).map(([part, figures]) => compareFigures(recordedFigures(part), figures))
  if (record) for (const [part, figures] of Object.entries(parts)) recordFigures(part, figures)
  return { ...parts, fell: compared.flatMap(({ fell }) => fell), rose: compared.flatMap(({ rose }) => rose) }
}

async function measureSets(): Promise<Record<string, Figures>> {
  const folder = openSets('eval/dev.tar.xz')
  const gold = openSets('eval/answers/dev.tar.xz')
  if (folder === null || gold === null) throw new UsageError('DOCENT_TEST_CORPORA does not name the sets.')
  return { ranking: await rankSets(folder, () => true), answers: await answerSets(folder, gold) }
}

function isMiss({ places, found, factInAnswer, confidence }: GateResult): boolean {
  if (places.length === 0) return confidence === 'high' || confidence === 'medium'
  return !factInAnswer || (found[0] ?? null) === null
}

function lineOf({ kind, question, found, first, factInFirst, factInAnswer, confidence }: GateResult): string {
  const place = found.findIndex((one) => one !== null) + 1
  const facts = `${factInFirst ? 'passage' : '-'} ${factInAnswer ? 'answer' : '-'}`
  return `${kind.padEnd(10)} rank ${String(place).padStart(2)}  ${facts.padEnd(14)} ${confidence.padEnd(6)} ${question}\n${' '.repeat(20)}first: ${first}\n`
}
