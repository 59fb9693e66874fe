import { languageKey } from '#search/rank/page-filter.ts'

/** Languages whose code does something; the rest is data, markup, or the output of something. */
const EXECUTABLE = new Set(
  'js jsx mjs cjs ts tsx mts py sh terminal shellsession powershell cs cpp c go rs rb java kotlin php swift scala elixir perl lua r dart sql vue svelte astro'.split(
    ' ',
  ),
)
/** Of these, the ones whose every line is complete in itself. */
const COMMANDS = new Set(['sh', 'terminal', 'shellsession', 'powershell', 'sql'])

const ELISION = /^[ \t]*(?:(?:\/\/|#|--|\/\*|<!--)[ \t]*)?(?:\.\.\.|…)[ \t]*(?:(?:\*\/|-->)[ \t]*)?$/m
const OPENING =
  /^[ \t]*(?:import\b|from\s+\S+\s+import\b|(?:const|let|var)\b.+\brequire\(|#include\b|using\s+\w|package\s+\w|use\s+\w|require\b|#!)/m

/**
 * Whether a block looks as if it could be run as it stands: nothing elided, and it brings its own imports or is a
 * command. A guess for ordering only.
 */
export function isRunnable(language: string | null, code: string): boolean {
  const key = languageKey(language ?? '')
  if (!EXECUTABLE.has(key) || ELISION.test(code)) return false
  return COMMANDS.has(key) || OPENING.test(code)
}
