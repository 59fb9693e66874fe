import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import { type Mutant, pathOf } from './mutants.ts'

/*
 * Runs the gate with one changed file, and prints its figures. The argument names a file with the mutant as JSON; without
 * it nothing is changed.
 */

const [, , file] = process.argv
if (file !== undefined) {
  const mutant = JSON.parse(readFileSync(file, 'utf8')) as Mutant
  const mutated = pathToFileURL(pathOf(mutant)).href
  registerHooks({
    load: (url, context, next) =>
      url === mutated ? { format: 'module-typescript', source: mutant.source, shortCircuit: true } : next(url, context),
  })
}
const { run } = await import('#gate/gate.ts')
process.stdout.write(JSON.stringify(await run([])))
