import { type RuleEffect, RuleEffectsSchema } from '@docent/contract/values/rule-effects'
import { annotate } from './annotate.ts'
import { createLexicon, type Lexicon } from './lexicon.ts'
import { readClause } from './read-clause.ts'
import type { Subject } from './read-subjects.ts'
import { type RuleSource, sourceNames } from './source-names.ts'
import { splitClauses } from './split-clauses.ts'
import { tokenise } from './tokenise.ts'

/** The compiled form of a sentence. */
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
  sources: readonly RuleSource[]
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
    const dropped: Span[] = []
    const paths: string[] = []
    const refused: Span[] = []
    let isIncomplete = false
    for (const sentence of annotate(tokenise(text), { lexicon, names: sourceNames(sources) })) {
      let before: Subject[] = []
      paths.push(...sentence.flatMap(({ glob }) => glob ?? []))
      for (const clause of splitClauses(sentence)) {
        const reading = readClause(clause, { text, named, before })
        if ('effects' in reading) {
          effects.push(...reading.effects)
          before = reading.subjects
          dropped.push(BREAK)
          refused.push(BREAK)
          continue
        }
        isIncomplete ||= 'unknown' in reading
        if ('unknown' in reading) unknown.push(...reading.unknown)
        const span = spanOf([...(clause.condition ?? []), ...clause.items])
        dropped.push(span)
        if ('refused' in reading) refused.push(span)
      }
      dropped.push(BREAK)
      refused.push(BREAK)
    }
    const parsed = RuleEffectsSchema.safeParse(withoutRepeats(effects))
    return {
      effects: parsed.success ? parsed.data : [],
      removed: textsOf(dropped, text),
      refused: textsOf(refused, text),
      isOutOfScope: refused.some((span) => span !== BREAK),
      isIncomplete: isIncomplete || (!parsed.success && effects.length > 0),
      unknown: [...new Set(unknown)],
      paths: [...new Set(paths)],
    }
  }
}

type Span = { start: number; end: number }

/** Ends a run of dropped parts: at the end of a sentence, and at a part that is kept. */
const BREAK: Span = { start: -1, end: -1 }

function spanOf(items: readonly Span[]): Span {
  return { start: items[0]?.start ?? 0, end: items.at(-1)?.end ?? 0 }
}

/** Texts of the dropped parts. Neighbours in a sentence become one. */
function textsOf(spans: readonly Span[], text: string): string[] {
  const merged: Span[] = []
  let isNew = true
  for (const span of spans) {
    const last = merged.at(-1)
    if (span === BREAK) isNew = true
    else if (!isNew && last) last.end = span.end
    else {
      merged.push({ ...span })
      isNew = false
    }
  }
  return merged.map(({ start, end }) => text.slice(start, end))
}

function withoutRepeats(effects: readonly RuleEffect[]): RuleEffect[] {
  return [...new Map(effects.map((effect) => [JSON.stringify(effect), effect])).values()]
}
