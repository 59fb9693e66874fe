import { type Passage, type PassageCode, type PassagePlace, addressInPassage } from '#search/passage.ts'
import { elementAt } from '#lib/arrays.ts'
import type { WordAnalyser } from '#search/analyse/word-analyser.ts'
import { createStemmer, stemsOf } from '#documents/term-overlap.ts'
import { hasCode, languageKey } from '#search/rank/page-filter.ts'
import type { Block, Section } from '#documents/model/document.ts'
import { joinHeadings, sectionsOf } from '#documents/model/sections.ts'
import { sectionAddress, withoutSection } from '#lib/addresses/page-address.ts'
import { oneLine } from './format-citation.ts'
import languages from './languages.json' with { type: 'json' }

/** Languages of executable code. The rest is data, markup or output. */
const EXECUTABLE = new Set(languages.executable)

/** Languages among these in which every line is complete. */
const COMMANDS = new Set(languages.commands)

const ELISION = /^[ \t]*(?:(?:\/\/|#|--|\/\*|<!--)[ \t]*)?(?:\.\.\.|…)[ \t]*(?:(?:\*\/|-->)[ \t]*)?$/m
const OPENING =
  /^[ \t]*(?:import\b|from\s+\S+\s+import\b|(?:const|let|var)\b.+\brequire\(|#include\b|using\s+\w|package\s+\w|use\s+\w|require\b|#!)/m

const IMPORT =
  /^[ \t]*(?:import|export|(?:const|let|var) [^=\n]{0,200}= *require\()[^'"]{0,400}['"][^'"\n]*['"]\)?;?[ \t]*$/gm

export type CodeExample = PassagePlace & {
  score: number
  language: string | null
  /** The whole block, verbatim. */
  text: string
  /**
   * Description of the block: the last line of prose between its heading and it. If the block comes first, as in pages
   * made from source code, the text after it, unless that introduces another block. Can be empty.
   */
  context: string
  /** True if the block looks complete enough to run unchanged. */
  runnable: boolean
  alsoAt: string[]
}

/**
 * The distinct code blocks of the passages, in order of relevance to the task. Import-only blocks come last. A passage
 * is found by its text, so each block counts by the words of the task in its code, its heading and the line above, too.
 */
export function collectExamples(
  passages: readonly Passage[],
  { task, language, analyse }: { task: string; language: string | null; analyse?: WordAnalyser },
): CodeExample[] {
  const blocks = differentBlocks(passages, language)
  const found = byTask(blocks, task, analyse)
  const { telling = [], imports = [] } = Object.groupBy(found, ({ text }) =>
    isOnlyImports(text) ? 'imports' : 'telling',
  )
  return [...telling, ...imports]
}

/** Weight of the words of the task in a block, relative to the score of its passage. */
const WORDS = 0.7

/** Factor for data, output and styles, unless the task names their language. */
const DATA = 0.8
const DATA_LANGUAGES = new Set(languages.data)

/** Characters of a block that are compared with the task. */
const MOST_READ = 4_000

/** Sorts blocks by the scores of their passages and by their words of the task. Words that few blocks have count more. */
function byTask(examples: readonly CodeExample[], task: string, analyse = createStemmer()): CodeExample[] {
  const asked = stemsOf(task, analyse)
  const best = Math.max(...examples.map(({ score }) => score), Number.MIN_VALUE)
  const own = examples.map(({ title, heading, context, text }) =>
    asked.intersection(stemsOf([title, heading, context, text.slice(0, MOST_READ)].join('\n'), analyse)),
  )
  const rarity = new Map(
    [...asked].map((word) => {
      const having = own.filter((words) => words.has(word)).length
      return [word, Math.log(1 + examples.length / Math.max(1, having))] as const
    }),
  )
  const weightOf = (words: ReadonlySet<string>) => [...words].reduce((sum, word) => sum + (rarity.get(word) ?? 0), 0)
  const all = Math.max(weightOf(asked), Number.MIN_VALUE)
  return examples
    .map((example, at) => {
      const key = languageKey(example.language ?? '')
      const isData = DATA_LANGUAGES.has(key) && !asked.has(key)
      const worth = example.score / best + (WORDS * weightOf(elementAt(own, at))) / all
      return { example, worth: isData ? worth * DATA : worth }
    })
    .toSorted((a, b) => b.worth - a.worth)
    .map(({ example }) => example)
}

function differentBlocks(passages: readonly Passage[], language: string | null): CodeExample[] {
  const byCode = new Map<string, CodeExample>()
  for (const passage of passages) {
    for (const block of passage.code) {
      if (block.text.trim() === '') continue
      if (language !== null && !hasCode(block.language ?? '', language)) continue
      const { text, language: label } = block
      const { title, sourceId, score } = passage
      const key = text.replaceAll(/\s+/g, ' ').trim()
      const known = byCode.get(key)
      const place = placeOfCode(passage, block)
      const runnable = isRunnable(label, text) && !isOnlyImports(text)
      if (known === undefined)
        byCode.set(key, { title, ...place, sourceId, score, language: label, text, runnable, alsoAt: [] })
      else if (known.url !== place.url && !known.alsoAt.includes(place.url)) known.alsoAt.push(place.url)
    }
  }
  return [...byCode.values()]
}

/** Guesses whether a block can run unchanged, for ordering: nothing is elided, and it has imports or is a command. */
export function isRunnable(language: string | null, code: string): boolean {
  const key = languageKey(language ?? '')
  if (!EXECUTABLE.has(key) || ELISION.test(code)) return false
  return COMMANDS.has(key) || OPENING.test(code)
}

/** True if code has only JavaScript imports, which demonstrate nothing, of up to 400 characters each. */
export function isOnlyImports(code: string): boolean {
  return code.replaceAll(IMPORT, '').trim() === ''
}

/** Locates a code block. A passage is cited by its first section, and can contain parts with headings. */
export function placeOfCode(
  found: Passage,
  { start: at }: Pick<PassageCode, 'start'>,
): Pick<CodeExample, 'heading' | 'url' | 'context'> {
  const { passage, blocks, headings, turns } = found
  const url = addressInPassage(found, at)
  const sections = sectionsOf(blocks, passage.length)
  const own = sections.findLast(({ start }) => start < at)
  const context = own === undefined ? '' : contextOf(passage, own.blocks, at)
  if (own === undefined || own.level <= 1 || headings.length === 0 || own.heading === headings.at(-1))
    return { heading: joinHeadings(headings), url, context }
  const isExact = own.anchor !== null && turns.length === 0
  return {
    heading: joinHeadings(pathTo(own, headings, sections)),
    url: isExact ? sectionAddress(withoutSection(url), own.anchor) : url,
    context,
  }
}

/** Sections of one passage are siblings, or nested in one another. */
function pathTo(own: Section, path: readonly string[], sections: readonly Section[]): string[] {
  const first = sections.find(({ heading }) => heading === path.at(-1))
  return [...(first && own.level > first.level ? path : path.slice(0, -1)), own.heading]
}

function contextOf(passage: string, blocks: readonly Block[], at: number): string {
  const textOf = ({ start, end }: Block) => passage.slice(start, end)
  const before = blocks.findLast(({ kind, end }) => kind !== 'code' && end <= at)
  if (before) return oneLine(textOf(before).split('\n').at(-1) ?? '')
  const after = blocks.find(({ start }) => start > at)
  if (after === undefined || after.kind === 'code' || after.kind === 'table') return ''
  const text = textOf(after)
  return text.endsWith(':') ? '' : oneLine(text)
}
