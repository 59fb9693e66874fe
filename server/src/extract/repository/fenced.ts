/** Encloses code in fences longer than any run of backticks in it. */
export function fenced(code: string, language = ''): string {
  let longest = 2
  for (const [run] of code.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${code}\n${fence}`
}
