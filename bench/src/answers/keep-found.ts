import { existsSync, mkdirSync, readFileSync, appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FoundForAsk, World } from './answer-world.ts'

type Kept = { question: string; found: FoundForAsk }

/** A world that keeps each search result in a file of the folder, and reads it from there the next time. */
export function keepFound(world: World, folder: string): World {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${world.name.replaceAll('/', '-')}.jsonl`)
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
  const kept = new Map(lines.map((line) => JSON.parse(line) as Kept).map(({ question, found }) => [question, found]))
  return {
    ...world,
    async search(question, ...how) {
      const before = kept.get(question)
      if (before !== undefined) return before
      const found = await world.search(question, ...how)
      kept.set(question, found)
      appendFileSync(file, `${JSON.stringify({ question, found } satisfies Kept)}\n`)
      return found
    },
  }
}
