/** Wraps source text in a code fence that its content cannot close. */
export function fence(text: string, language = ''): string {
  const runs = text.match(/`{3,}/g) ?? []
  const marks = '`'.repeat(Math.max(3, ...runs.map((run) => run.length + 1)))
  return `${marks}${language}\n${text}\n${marks}`
}
