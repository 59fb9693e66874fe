import type { NamedSource } from '#grammar/source-names.ts'
import type { CompiledRule } from './compile-rule.ts'
import { describeEffects, listed } from './describe-effects.ts'

type Context = { sources: readonly NamedSource[]; nearest: readonly string[] }

const quoted = (parts: readonly string[]): string =>
  listed(
    parts.map((part) => `“${part}”`),
    'and',
  )

/** What a compiled sentence does, then remarks about parts without an effect and about contradictions. */
export function explainRule(
  { effects, reasons, weakened, contradictions }: CompiledRule,
  sources: Context['sources'],
): string[] {
  const remarks = contradictions.map(({ one, other }) => {
    const [first = '', second = ''] = describeEffects([one, other], sources)
    return `The sentence asks for both “${first}” and “${second}” Where both apply, the one with the condition counts.`
  })
  const why = reasons.length > 0 ? [`Read without an effect: ${quoted(reasons)}.`] : []
  const less = weakened.map(
    (part) => `“${part}” asks for more: by age, version or code, a rule ranks pages and leaves none out.`,
  )
  return [...describeEffects(effects, sources), ...less, ...remarks, ...why]
}

/** Nearest names in a message. */
const MOST_NAMES = 10
const MOST_PLACES = 3

/** Why a sentence is no rule: what was understood of it, what was not, and a question. */
export function explainRefusal(compiled: CompiledRule, { sources, nearest }: Context): string {
  const { effects, unclear, unknown, contradictions } = compiled
  const total = contradictions.find(({ isTotal }) => isTotal)
  const known = describeEffects(effects, sources)
  const understood = known.length > 0 ? [`Understood: ${known.join(' ')}`] : []
  if (total !== undefined && unclear.length === 0) {
    const [one = '', other = ''] = describeEffects([total.one, total.other], sources)
    return `Understood: “${one}” and “${other}” They contradict each other. Which of the two do you mean?`
  }
  const parts = unclear.length > 0 ? [`Not understood: ${quoted(unclear)}.`] : []
  return [
    ...understood,
    ...parts,
    ...(unknown.length > 0 ? nameQuestion(unknown, { sources, nearest }) : [QUESTION]),
  ].join(' ')
}

const QUESTION =
  'Which sources, pages, versions or languages should it prefer, avoid, leave out or use alone, and for which questions? For example: Prefer pages under /guide when asked about installation.'

function nameQuestion(unknown: readonly string[], { sources, nearest }: Context): string[] {
  const names = sources.slice(0, MOST_NAMES).map(({ label, url }) => label ?? url)
  const near = nearest.slice(0, MOST_PLACES)
  return [
    `This server has no source and no page called ${quoted(unknown)}.`,
    `Its sources are: ${names.join(', ')}.`,
    ...(near.length > 0 ? [`The nearest pages are: ${near.join(', ')}.`] : []),
    'Which of them do you mean?',
  ]
}
