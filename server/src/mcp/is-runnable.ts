/** Languages whose code does something; the rest is data, markup, or the output of something. */
const EXECUTABLE = new Set(
  'javascript typescript python bash csharp cpp c go rust ruby java kotlin php swift scala elixir perl lua r dart powershell sql vue svelte astro'.split(
    ' ',
  ),
)

const ELISION = /^\s*(?:\/\/|#|--|\/\*|<!--)?\s*(?:\.\.\.|…)\s*(?:\*\/|-->)?\s*$/m
const OPENING =
  /^\s*(?:import\b|from\s+\S+\s+import\b|(?:const|let|var)\b.+\brequire\(|#include\b|using\s+\w|package\s+\w|use\s+\w|require\b|#!)/m

/**
 * Whether a block looks as if it could be run as it stands: nothing elided, and it brings its own imports or is a
 * command. A guess for ordering only.
 */
export function isRunnable(language: string | null, code: string): boolean {
  if (language === null || !EXECUTABLE.has(language) || ELISION.test(code)) return false
  return language === 'bash' || language === 'powershell' || language === 'sql' || OPENING.test(code)
}
