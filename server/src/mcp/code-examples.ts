import { isOnlyImports } from '#answer/is-only-imports.ts'
import type { Passage } from '#search/passage.ts'
import { languageKey } from '#search/rank/page-filter.ts'
import { isRunnable } from './is-runnable.ts'
import { placeOfCode } from './place-of-code.ts'

export type CodeExample = {
  title: string
  heading: string
  url: string
  sourceId: string
  score: number
  /** As the page names it, or null. */
  language: string | null
  /** The whole block, exactly as it stands on the page. */
  text: string
  /** The line of text above the block, or below where none is above, which usually says what it shows; or empty. */
  context: string
  /** Looks complete enough to be run as it stands. */
  runnable: boolean
  /** Other places with the same code. */
  alsoAt: string[]
}

/**
 * The different code blocks of the passages, in their order, which is that of relevance. Blocks of nothing but imports
 * come last.
 */
export function collectExamples(passages: readonly Passage[], language: string | null): CodeExample[] {
  const found = differentBlocks(passages, language === null ? null : languageKey(language))
  const telling = found.filter(({ text }) => !isOnlyImports(text))
  return [...telling, ...found.filter(({ text }) => isOnlyImports(text))]
}

/** The examples that can be run before those that show a part only. */
export function runnableFirst(examples: readonly CodeExample[]): CodeExample[] {
  return [...examples.filter(({ runnable }) => runnable), ...examples.filter(({ runnable }) => !runnable)]
}

function differentBlocks(passages: readonly Passage[], language: string | null): CodeExample[] {
  const byCode = new Map<string, CodeExample>()
  for (const passage of passages) {
    for (const block of passage.code) {
      if (block.text.trim() === '') continue
      if (language !== null && languageKey(block.language ?? '') !== language) continue
      const key = block.text.replaceAll(/\s+/g, ' ').trim()
      const known = byCode.get(key)
      const example = exampleOf(passage, block)
      if (known === undefined) byCode.set(key, example)
      else if (known.url !== example.url && !known.alsoAt.includes(example.url)) known.alsoAt.push(example.url)
    }
  }
  return [...byCode.values()]
}

function exampleOf(passage: Passage, { language, text }: Passage['code'][number]): CodeExample {
  const { title, sourceId, score } = passage
  return {
    title,
    ...placeOfCode(passage, text),
    sourceId,
    score,
    language,
    text,
    runnable: isRunnable(language, text) && !isOnlyImports(text),
    alsoAt: [],
  }
}
