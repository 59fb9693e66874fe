/** Clients that send each request on a new connection until one is refused. Prints the number of each outcome. */
import { outcomeOf } from './outcome-of.ts'

/** Answers after which it says on standard error that it has begun. */
const BEGUN = 300
const [url = '', clients] = process.argv.slice(2)
const counts: Record<string, number> = {}

async function connectUntilRefused(): Promise<void> {
  for (let outcome = ''; outcome !== 'ECONNREFUSED';) {
    outcome = await outcomeOf(url)
    counts[outcome] = (counts[outcome] ?? 0) + 1
    if (outcome === '200' && counts[outcome] === BEGUN) process.stderr.write('begun\n')
  }
}

await Promise.all(Array.from({ length: Number(clients) }, connectUntilRefused))
process.stdout.write(JSON.stringify(counts))
