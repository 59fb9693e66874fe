import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Benchmark, BENCHMARKS, listOfAll, usageOf } from './benchmarks.ts'
import { UsageError } from '#lib/usage-error.ts'

const WRONG_CALL = 2

const [name = '', ...args] = process.argv.slice(2)
const benchmark = Object.hasOwn(BENCHMARKS, name) ? BENCHMARKS[name] : undefined
if (benchmark) await runBenchmark(benchmark)
else if (name === '' || isHelp(name)) process.stdout.write(listOfAll())
else {
  process.stderr.write(`There is no benchmark "${name}". There are:\n${listOfAll()}`)
  process.exitCode = WRONG_CALL
}

async function runBenchmark(chosen: Benchmark): Promise<void> {
  if (args.some(isHelp)) {
    process.stdout.write(usageOf(name, chosen))
    return
  }
  try {
    const { out, rest } = takeOut(args)
    const { run } = await chosen.load()
    const figures = await run(rest)
    if (!figures) return
    const json = JSON.stringify(figures)
    if (out) writeFileSync(resolve(out), `${json}\n`)
    process.stdout.write(`${json}\n`)
  } catch (error) {
    if (!isWrongCall(error)) throw error
    process.stderr.write(`${error.message}\n${usageOf(name, chosen)}`)
    process.exitCode = WRONG_CALL
  }
}

function isHelp(arg: string): boolean {
  return arg === '--help' || arg === '-h'
}

/** A usage error of ours, or an error of `parseArgs` for unknown options or missing values. */
function isWrongCall(error: unknown): error is Error {
  if (error instanceof UsageError) return true
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_')
}

/** `--out FILE` belongs to the runner; other options belong to the benchmark. */
function takeOut(given: string[]): { out: string | null; rest: string[] } {
  const at = given.indexOf('--out')
  if (at < 0) return { out: null, rest: given }
  const path = given[at + 1]
  if (path === undefined) throw new UsageError('--out wants the name of a file.')
  return { out: path, rest: given.toSpliced(at, 2) }
}
