import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { FROZEN, readGateQuestions } from './gate-questions.ts'
import { askGate, figuresOf, type GateResult } from './measure-gate.ts'
import { indexDocs, openDocs } from './open-docs.ts'
import { compareFigures, recordedFigures, recordFigures } from './recorded-figures.ts'

/**
 * Measures search and answers with questions over a frozen copy of Docent's own documents, and compares the figures with
 * the recorded ones. `--misses` lists the questions that are not answered rightly, `--details` writes all results to a
 * file, and `--record` replaces the recorded figures.
 */
export async function run(args: string[]): Promise<Record<string, unknown>> {
  const flag = { type: 'boolean', default: false } as const
  const options = { record: flag, misses: flag, details: { type: 'string' } } as const
  const { record, misses, details } = parseArgs({ args, options }).values
  const results = await askGate(openDocs(indexDocs(FROZEN)), readGateQuestions())
  if (details !== undefined) writeFileSync(resolve(details), JSON.stringify(results, null, 1))
  if (misses) process.stderr.write(results.filter(isMiss).map(lineOf).join(''))
  const figures = figuresOf(results)
  const { fell, rose } = compareFigures(recordedFigures('questions'), figures)
  if (record) recordFigures('questions', figures)
  return { questions: results.length, ...figures, fell, rose }
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
