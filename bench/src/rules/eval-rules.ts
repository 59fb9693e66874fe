import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RuleEffect, RuleEffectsSchema } from '@docent/contract/values/rule-effects'
import { createRuleCompiler } from '@docent/server/rules/compile-rule.ts'
import type { NamedSource } from '@docent/server/grammar/source-names.ts'
import { judgeMeanings, type Outcome } from './eval-meanings.ts'

type Sentence = {
  id: number
  heldOut: boolean
  context: string
  sourceId?: string
  text: string
  effects: RuleEffect[]
  removed: string[]
}

type TestSet = { contexts: Record<string, NamedSource[]>; sentences: Sentence[] }

type Score = {
  sentences: number
  /** Share of the sentences with exactly the expected effects and removed parts. */
  exact: number
  /** Of single effects. */
  precision: number
  recall: number
  /** Share of the sentences with exactly the expected removed parts. */
  removed: number
}

/** Runs that CPU time is averaged over. The first, which builds the lexicon, is measured apart. */
const RUNS = 50

/**
 * Compiles the sentences of the test set by the grammar alone, and compares the effects and the removed parts with the
 * expected ones. Prints the sentences of the open half that differ; of the held-out half only the score is shown.
 */
export function evalRules() {
  const set = JSON.parse(readFileSync(join(import.meta.dirname, 'sentences.json'), 'utf8')) as TestSet
  const compile = createRuleCompiler()
  const compiled = (sentence: Sentence) => {
    const sources = set.contexts[sentence.context]
    if (sources === undefined) throw new Error(`There is no context "${sentence.context}".`)
    const { effects, removed, unclear } = compile(sentence.text, { sources, sourceId: sentence.sourceId ?? null })
    return { effects: unclear.length > 0 ? [] : effects, removed }
  }
  const firstMs = cpuMs(() => void set.sentences.slice(0, 1).map(compiled))
  const results = set.sentences.map((sentence) => ({ sentence, ...compiled(sentence) }))
  for (const { sentence, effects, removed } of results) {
    if (effects.length > 0) RuleEffectsSchema.parse(effects)
    if (sentence.heldOut || isExact(sentence, { effects, removed })) continue
    process.stderr.write(`${sentence.id} ${sentence.text}\n  ${JSON.stringify({ effects, removed })}\n`)
  }
  const msEach = cpuMs(() => {
    for (let run = 0; run < RUNS; run++) set.sentences.forEach(compiled)
  })
  const half = (heldOut: boolean) => scoreOf(results.filter(({ sentence }) => sentence.heldOut === heldOut))
  const judged = judgeMeanings()
  for (const { sentence, outcome, compiled } of judged) {
    if (sentence.heldOut || outcome === 'right') continue
    process.stderr.write(`${outcome} ${sentence.id} ${sentence.text}\n  ${JSON.stringify(compiled)}\n`)
  }
  const count = (heldOut: boolean) => {
    const outcomes = { right: 0, refused: 0, wrong: 0 } satisfies Record<Outcome, number>
    for (const { sentence, outcome } of judged) if (sentence.heldOut === heldOut) outcomes[outcome]++
    return outcomes
  }
  return {
    open: half(false),
    heldOut: half(true),
    meanings: { open: count(false), heldOut: count(true) },
    cpuMsFirst: rounded(firstMs),
    cpuMs: rounded(msEach / RUNS / set.sentences.length),
  }
}

type Result = { sentence: Sentence; effects: RuleEffect[]; removed: string[] }

function scoreOf(results: readonly Result[]): Score {
  let [right, given, wanted, exact, removedRight] = [0, 0, 0, 0, 0]
  for (const { sentence, effects, removed } of results) {
    const expected = new Set(sentence.effects.map(keyOf))
    right += effects.filter((effect) => expected.has(keyOf(asWritten(effect, sentence)))).length
    given += effects.length
    wanted += expected.size
    if (isExact(sentence, { effects, removed })) exact++
    if (isSame(sentence.removed, removed)) removedRight++
  }
  return {
    sentences: results.length,
    exact: rounded(exact / results.length),
    precision: rounded(right / Math.max(1, given)),
    recall: rounded(right / Math.max(1, wanted)),
    removed: rounded(removedRight / results.length),
  }
}

function isExact(sentence: Sentence, { effects, removed }: Pick<Result, 'effects' | 'removed'>): boolean {
  return (
    isSame(
      sentence.effects.map(keyOf),
      effects.map((each) => keyOf(asWritten(each, sentence))),
    ) && isSame(sentence.removed, removed)
  )
}

/** Without the everyday words that a condition means besides those of the sentence. */
function asWritten(effect: RuleEffect, { effects }: Sentence): RuleEffect {
  const terms = effect.when?.terms
  const written = effects.find(({ when }) => when?.terms?.every((term) => terms?.includes(term)))?.when?.terms
  return terms === undefined || written === undefined ? effect : { ...effect, when: { ...effect.when, terms: written } }
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return JSON.stringify(a.toSorted()) === JSON.stringify(b.toSorted())
}

/** The effect as text, whatever the order of its members. */
function keyOf(effect: RuleEffect): string {
  return JSON.stringify(effect, [...new Set(membersOf(effect))].sort())
}

function membersOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  return Object.entries(value).flatMap(([name, member]) => [name, ...membersOf(member)])
}

function cpuMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000
}
