import type { Passage } from '#search/passage.ts'
import type { Scope, Search } from '../library.ts'

/**
 * Many ids share their words: `repos/get`, `repos/get-release`. With these limits, 295 of 296 ids from a description of
 * 1,200 operations came first.
 */
const CANDIDATES = { limit: 60, budget: 200_000 } as const

/** True if a text of an API description says that the name is the `operationId` of its operation. */
export function isOperationId(text: string, name: string): boolean {
  return text.includes(`\n\nOperation: \`${name}\`.\n`)
}

/** Passages that begin the operations with this `operationId`. A name with spaces is none. */
export async function namedOperation(
  search: Search,
  { name, scope }: { name: string; scope: Scope },
  signal: AbortSignal | undefined,
): Promise<Passage[]> {
  if (/\s/.test(name)) return []
  const { passages } = await search({ query: `Operation ${name}`, type: 'api', ...CANDIDATES, ...scope }, signal)
  return passages.filter(({ passage }) => isOperationId(passage, name))
}
