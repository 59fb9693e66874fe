import type { Passage, PassageCode } from '#search/passage.ts'
import { languageKey } from '#search/rank/page-filter.ts'
import { isOnlyImports } from './is-only-imports.ts'
import { isRunnable } from './is-runnable.ts'
import { placeOfCode } from './place-of-code.ts'

export type CodeExample = {
  title: string
  heading: string
  url: string
  sourceId: string
  score: number
  /** Language label on the page, or null. */
  language: string | null
  /** The whole block, verbatim. */
  text: string
  /** The line of text above the block, or below if none is above. It usually describes the block. Can be empty. */
  context: string
  /** True if the block looks complete enough to run unchanged. */
  runnable: boolean
  /** Other locations of the same code. */
  alsoAt: string[]
}

/** The distinct code blocks of the passages, in order of relevance. Import-only blocks come last. */
export function collectExamples(passages: readonly Passage[], language: string | null): CodeExample[] {
  const found = differentBlocks(passages, language === null ? null : languageKey(language))
  const telling = found.filter(({ text }) => !isOnlyImports(text))
  return [...telling, ...found.filter(({ text }) => isOnlyImports(text))]
}

/** Moves runnable examples before partial ones. */
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

function exampleOf(passage: Passage, block: PassageCode): CodeExample {
  const { title, sourceId, score } = passage
  const { language, text } = block
  return {
    title,
    ...placeOfCode(passage, block),
    sourceId,
    score,
    language,
    text,
    runnable: isRunnable(language, text) && !isOnlyImports(text),
    alsoAt: [],
  }
}
