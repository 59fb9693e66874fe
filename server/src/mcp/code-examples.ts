import { isOnlyImports } from '#answer/is-only-imports.ts'
import type { Passage } from '#search/passage.ts'
import { languageKey } from '#search/rank/page-filter.ts'
import { oneLine } from './frame.ts'
import { isRunnable } from './is-runnable.ts'

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
  /** The line of text above the block, which usually says what it shows. Empty when there is none. */
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
      if (known === undefined) byCode.set(key, exampleOf(passage, block))
      else if (known.url !== passage.url && !known.alsoAt.includes(passage.url)) known.alsoAt.push(passage.url)
    }
  }
  return [...byCode.values()]
}

function exampleOf(passage: Passage, { language, text }: Passage['code'][number]): CodeExample {
  const { title, heading, url, sourceId, score } = passage
  return {
    title,
    heading,
    url,
    sourceId,
    score,
    language,
    text,
    context: lineAbove(passage.passage, text),
    runnable: isRunnable(language, text) && !isOnlyImports(text),
    alsoAt: [],
  }
}

/** The last line of prose before a block in its passage. */
function lineAbove(markdown: string, code: string): string {
  const at = markdown.indexOf(code)
  if (at < 0) return ''
  const lines = markdown.slice(0, at).split('\n').slice(0, -1)
  // The opening fence is the last of these lines; what a fence before that encloses is code and no context.
  let inside = false
  const prose = lines.filter((line) => {
    if (/^\s*(?:`{3,}|~{3,})/.test(line)) {
      inside = !inside
      return false
    }
    return !inside && line.trim() !== '' && !/^#{1,6}\s/.test(line)
  })
  return oneLine(prose.at(-1) ?? '')
}
