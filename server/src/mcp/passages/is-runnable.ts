import { languageKey } from '#search/rank/page-filter.ts'

/** Languages of executable code. The rest is data, markup or output. */
const EXECUTABLE = new Set(
  'js jsx mjs cjs ts tsx mts py sh terminal shellsession powershell cs cpp c go rs rb java kotlin php swift scala elixir perl lua r dart sql vue svelte astro'.split(
    ' ',
  ),
)
/** Languages among these in which every line is complete. */
const COMMANDS = new Set(['sh', 'terminal', 'shellsession', 'powershell', 'sql'])

const ELISION = /^[ \t]*(?:(?:\/\/|#|--|\/\*|<!--)[ \t]*)?(?:\.\.\.|…)[ \t]*(?:(?:\*\/|-->)[ \t]*)?$/m
const OPENING =
  /^[ \t]*(?:import\b|from\s+\S+\s+import\b|(?:const|let|var)\b.+\brequire\(|#include\b|using\s+\w|package\s+\w|use\s+\w|require\b|#!)/m

/**
 * Guesses whether a block can run unchanged: nothing is elided, and it has its imports or is a command. Used only for
 * ordering.
 */
export function isRunnable(language: string | null, code: string): boolean {
  const key = languageKey(language ?? '')
  if (!EXECUTABLE.has(key) || ELISION.test(code)) return false
  return COMMANDS.has(key) || OPENING.test(code)
}

const IMPORT =
  /^[ \t]*(?:import|export|(?:const|let|var) [^=\n]{0,200}= *require\()[^'"]{0,400}['"][^'"\n]*['"]\)?;?[ \t]*$/gm

/**
 * True if code consists only of JavaScript imports, which demonstrate nothing. Reads statements of up to 400
 * characters.
 */
export function isOnlyImports(code: string): boolean {
  return code.replaceAll(IMPORT, '').trim() === ''
}
