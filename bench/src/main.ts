import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

type Benchmark = { run(args: string[]): Promise<Record<string, unknown> | void> }

const [name = '', ...args] = process.argv.slice(2)
const { out, rest } = takeOut(args)
const file = findBenchmark(name)
if (file) {
  const benchmark = (await import(file)) as Benchmark
  const figures = await benchmark.run(rest)
  if (figures) {
    const json = JSON.stringify(figures)
    if (out) writeFileSync(resolve(out), `${json}\n`)
    process.stdout.write(`${json}\n`)
  }
} else {
  process.stderr.write(`There is no benchmark "${name}". Known are: ${listBenchmarks().join(', ')}.\n`)
  process.exitCode = 2
}

/** The file of `NAME.ts`, or of the one whose name goes on after it, as `index` means `index-site.ts`. */
function findBenchmark(wanted: string): string | null {
  const known = listBenchmarks()
  const found = known.find((one) => one === wanted) ?? known.find((one) => one.startsWith(`${wanted}-`))
  return found && wanted ? join(import.meta.dirname, `${found}.ts`) : null
}

/** Names of the files here that can be run; the others are parts of them. */
function listBenchmarks(): string[] {
  return readdirSync(import.meta.dirname)
    .filter((entry) => entry.endsWith('.ts') && !entry.endsWith('.test.ts') && entry !== 'main.ts')
    .filter((entry) => /^export async function run\(/m.test(readFileSync(join(import.meta.dirname, entry), 'utf8')))
    .map((entry) => entry.slice(0, -'.ts'.length))
}

/** `--out FILE` is the runner's own; everything else is the benchmark's. */
function takeOut(given: string[]): { out: string | null; rest: string[] } {
  const at = given.indexOf('--out')
  const path = at < 0 ? undefined : given[at + 1]
  return path ? { out: path, rest: given.toSpliced(at, 2) } : { out: null, rest: given }
}
