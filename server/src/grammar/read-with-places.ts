import { defined } from '#lib/objects.ts'
import type { PlaceName, PlaceNames } from './place-names.ts'

/** Asks for the pages of a glob, for those of a version, or for those with a name. */
export type PlaceQuestion = { glob: string; sourceId?: string } | { version: string } | PlaceName

/** The globs of the asked pages; none if there are no such pages, and then similar ones. */
export type PlaceAnswer = { globs: readonly string[]; nearest: readonly string[] }

/** Answers to all questions in their order. Null for a server without pages. */
export type LookUpPlaces = (questions: readonly PlaceQuestion[]) => Promise<readonly PlaceAnswer[] | null>

/** Rounds of questions: a name can lead to another one, such as a section of a page. */
const MOST_ROUNDS = 4

/**
 * Reads a sentence with the names of the server's pages. The grammar waits for nothing: it reads until it has no new
 * question about pages. `nearest`: pages similar to those that the sentence names and the server does not have.
 */
export async function readWithPlaces<T>(
  read: (places: PlaceNames | null) => T,
  lookUp: LookUpPlaces,
): Promise<{ read: T; nearest: string[] }> {
  const known = new Map<string, PlaceAnswer>()
  for (let round = 0; ; round++) {
    const asked = new Map<string, PlaceQuestion>()
    const answerOf = (question: PlaceQuestion): readonly string[] => {
      const key = JSON.stringify(question)
      const answer = known.get(key)
      if (answer === undefined) asked.set(key, question)
      return answer?.globs ?? []
    }
    const has = (glob: string, sourceId?: string) => answerOf({ glob, ...defined({ sourceId }) }).length > 0
    const hasVersion = (version: string) => answerOf({ version }).length > 0
    const result = read({ has, hasVersion, find: answerOf })
    if (asked.size === 0 || round === MOST_ROUNDS) {
      const nearest = [...known.values()].flatMap((answer) => (answer.globs.length === 0 ? answer.nearest : []))
      return { read: result, nearest: [...new Set(nearest)] }
    }
    const answers = await lookUp([...asked.values()])
    if (answers === null) return { read: read(null), nearest: [] }
    for (const [index, key] of [...asked.keys()].entries()) known.set(key, answers[index] ?? { globs: [], nearest: [] })
  }
}
