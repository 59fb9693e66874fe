import { type RuleEffect, RuleEffectsSchema } from '@docent/contract/values/rule-effects'
import { annotate } from '#grammar/annotate.ts'
import { createLexicon, type Lexicon } from '#grammar/lexicon.ts'
import type { Subject } from '#grammar/read-subjects.ts'
import { type NamedSource, sourceNames } from '#grammar/source-names.ts'
import { type Clause, splitClauses } from '#grammar/split-clauses.ts'
import { readClause } from './read-clause.ts'

export type CompiledRule = {
  effects: RuleEffect[]
  /** Parts of the sentence that a rule cannot carry out, as written. */
  removed: string[]
  /** The removed parts that ask for something no rule can do, such as hiding citations. */
  refused: string[]
  isOutOfScope: boolean
  /** True if a part was not understood. */
  isIncomplete: boolean
  /** Names that no source of the server has. */
  unknown: string[]
  /** Paths that the sentence has, as globs. */
  paths: string[]
}

export type RuleServer = {
  sources: readonly NamedSource[]
  /** The only source that the rule is about, or null. */
  sourceId: string | null
}

export type RuleCompiler = (sentence: string, server: RuleServer) => CompiledRule

/** Creates a compiler of retrieval rules. It has a grammar and no model, and takes time linear to the sentence. */
export function createRuleCompiler(): RuleCompiler {
  // Built on first use: most services never compile a rule.
  let lexicon: Lexicon | null = null
  return (text, { sources, sourceId }) => {
    lexicon ??= createLexicon()
    const named = { sources, ownSource: sourceId }
    const effects: RuleEffect[] = []
    const unknown: string[] = []
    // Null: a part that is kept, or the end of a sentence.
    const dropped: ({ clause: Clause; isRefused: boolean } | null)[] = []
    const sentences = annotate(text, { lexicon, names: sourceNames(sources) })
    for (const sentence of sentences) {
      let before: readonly Subject[] = []
      for (const clause of splitClauses(sentence)) {
        const reading = readClause(clause, { text, named, before })
        if ('effects' in reading) {
          effects.push(...reading.effects)
          before = reading.subjects
          dropped.push(null)
        } else {
          dropped.push({ clause, isRefused: 'refused' in reading })
          if ('unknown' in reading) unknown.push(...reading.unknown)
        }
      }
      dropped.push(null)
    }
    const distinct = [...new Map(effects.map((effect) => [JSON.stringify(effect), effect])).values()]
    const isLost = dropped.some((part) => part?.isRefused === false)
    const lost = dropped.map((part) => part?.clause ?? null)
    const refused = textsOf(
      lost.map((clause, at) => (dropped[at]?.isRefused ? clause : null)),
      text,
    )
    const parsed = RuleEffectsSchema.safeParse(distinct)
    return {
      effects: parsed.success ? parsed.data : [],
      removed: textsOf(lost, text),
      refused,
      isOutOfScope: refused.length > 0,
      isIncomplete: isLost || (!parsed.success && effects.length > 0),
      unknown: [...new Set(unknown)],
      paths: [...new Set(sentences.flat().flatMap(({ glob }) => glob ?? []))],
    }
  }
}

/** The texts of clauses, as written. Neighbours become one, unless null is between them. */
function textsOf(parts: readonly (Clause | null)[], text: string): string[] {
  const spans: { start: number; end: number }[] = []
  for (const [index, part] of parts.entries()) {
    if (part === null) continue
    const items = [...part.lead, ...part.main, ...part.condition]
    const [start, end] = [items[0]?.start ?? 0, items.at(-1)?.end ?? 0]
    const last = parts[index - 1] ? spans.at(-1) : undefined
    if (last) last.end = end
    else spans.push({ start, end })
  }
  return spans.map(({ start, end }) => text.slice(start, end))
}
