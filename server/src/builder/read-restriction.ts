import type { PlanStep } from '@docent/contract/values/custom-tool-plan'
import { annotate, has, isUnread, type Item } from '#grammar/annotate.ts'
import { createLexicon } from '#grammar/lexicon.ts'
import { readSubjects } from '#grammar/read-subjects.ts'
import { sourceNames } from '#grammar/source-names.ts'
import { fold } from '#grammar/tokenise.ts'
import type { Survey } from './survey.ts'

/** The pages that a request allows: `only from the Helm chart`. */
export type Restriction = {
  filters: PlanStep['filters']
  /** The restriction as written, if it names nothing of the content; else null. */
  unread: string | null
  /** True if it must name content: `only from`, unlike `only in` and `only using`. */
  isStrict: boolean
}

type Content = Pick<Survey, 'sources' | 'paths'>

/** Reads the first restriction of a request to a source, a kind of source, or a path. */
export function readRestriction(prompt: string, survey: Content): Restriction {
  for (const sentence of annotate(prompt, { lexicon: createLexicon(), names: sourceNames(survey.sources) })) {
    const at = sentence.findIndex((item, index) => has(item, 'only') && has(sentence[index + 1], 'in', 'use'))
    if (at < 0) continue
    const [link, ...rest] = sentence.slice(at + 1)
    const end = rest.findIndex((item) => item.isComma || has(item, 'not', 'but'))
    const items = end < 0 ? rest : rest.slice(0, end)
    const written = prompt.slice(items[0]?.start ?? 0, items.at(-1)?.end ?? 0)
    const filters = filtersOf(items, written, survey)
    const isStrict = !has(link, 'use') && !['in', 'en', 'auf', 'dans'].includes(link?.key ?? '')
    return { filters, unread: filters === undefined ? written : null, isStrict }
  }
  return { filters: undefined, unread: null, isStrict: false }
}

function filtersOf(items: readonly Item[], written: string, { sources, paths }: Content): PlanStep['filters'] {
  const subjects = readSubjects(items, { sources, ownSource: null })
  const filters: NonNullable<PlanStep['filters']> = {}
  for (const subject of subjects) {
    const id = subject.of === 'source' ? subject.sourceId : subject.scope
    const source = sources.find((each) => each.id === id)
    if (source) filters.source = source.label ?? source.url
    if (subject.of === 'kind') filters.type = subject.type
    if (subject.of === 'path') filters.path = subject.glob.replace(/^(\/.*)\/\*$/, '$1')
  }
  if (filters.source === undefined && items.every(({ glob }) => glob === null)) {
    const named = pathNamed(written, paths)
    // A kind or a part with a word that nothing has: `the Sprocket forum`.
    if (named === undefined && items.some(isUnread)) return undefined
    if (named !== undefined) filters.path = named
  }
  return Object.keys(filters).length > 0 ? filters : undefined
}

/** The path of the content with most of the words. */
function pathNamed(written: string, paths: readonly string[]): string | undefined {
  const wanted = wordsOf(written)
  const scored = paths.map((path) => {
    const words = wordsOf(path.split('/').at(-1) ?? '')
    const common = words.filter((word) => wanted.includes(word)).length
    return { path, score: common / Math.max(1, words.length) + common / Math.max(1, wanted.length) }
  })
  const [best] = scored.toSorted((one, other) => other.score - one.score || one.path.length - other.path.length)
  return best !== undefined && best.score >= 1 ? best.path : undefined
}

/** Words without plural endings. */
function wordsOf(text: string): string[] {
  const words = fold(text).match(/[\p{L}\p{N}]+/gu) ?? []
  return words
    .filter((word) => !/^(?:the|and|of|our|its|pages?|docs?|documentation)$/.test(word))
    .map((word) => word.replace(/(?<=\w{3})s$/, ''))
}
