import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Mutant, numberMutants, specialCaseMutants, unchangedFile } from './mutants.ts'
import { listNeutral, NEUTRAL_ANSWERS, NEUTRAL_RANKING } from './neutral-values.ts'

/** Folders whose functions decide what ranks and what answers. */
const SPECIAL_CASES = ['answer', 'search/rank']

/**
 * Sets each weight and threshold of ranking and answers to its neutral value, and switches off each special case, one at
 * a time. Lists the changes after which neither the gate loses nor a test fails: what they remove is not needed, or not
 * tested. `--only` takes changes whose file or name contains a text.
 */
export async function run(args: string[]): Promise<Record<string, unknown>> {
  const { only = '' } = parseArgs({ args, options: { only: { type: 'string' } } }).values
  const chosen = listMutants().filter(({ file, name }) => `${file} ${name}`.includes(only))
  const folder = mkdtempSync(join(tmpdir(), 'docent-ablate-'))
  const file = join(folder, 'mutant.json')
  const kept: string[] = []
  try {
    for (const unchanged of ['search/weights.ts', 'answer/extractive.ts'].map(unchangedFile)) {
      writeFileSync(file, JSON.stringify(unchanged))
      const lost = lostInGate(file) ?? (failsTests(file) ? 'a test fails' : null)
      if (lost !== null) throw new Error(`Nothing can be caught while this holds without a change: ${lost}`)
    }
    for (const mutant of chosen) {
      writeFileSync(file, JSON.stringify(mutant))
      const lost = lostInGate(file)
      const caught = lost ?? (failsTests(file) ? 'a test fails' : null)
      const what = `${mutant.file} ${mutant.name}`
      process.stderr.write(
        `${caught === null ? 'NOTHING' : 'caught '} ${what}${caught === null ? '' : `: ${caught}`}\n`,
      )
      if (caught === null) kept.push(what)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
  return { changes: chosen.length, uncaught: kept }
}

function listMutants(): Mutant[] {
  return [
    ...numberMutants('search/weights.ts', 'WEIGHTS', listNeutral(NEUTRAL_RANKING)),
    ...Object.entries(NEUTRAL_ANSWERS).flatMap(([name, neutral]) =>
      numberMutants('answer/weights.ts', name, listNeutral(neutral)),
    ),
    ...SPECIAL_CASES.flatMap(specialCaseMutants),
  ]
}

/** The figures of the gate that fall, or how it ends without figures. Null if none falls. */
function lostInGate(mutant: string): string | null {
  const { status, stdout, signal } = runDriver('gate-driver.ts', [mutant])
  if (status !== 0) return `the gate ends with ${signal ?? status}`
  const { fell } = JSON.parse(stdout) as { fell: string[] }
  return fell.length === 0 ? null : fell.join(', ')
}

function failsTests(mutant: string): boolean {
  return runDriver('tests-driver.ts', [mutant]).status !== 0
}

function runDriver(name: string, args: readonly string[]) {
  const given = ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, name), ...args]
  // An endless loop is caught too.
  return spawnSync(process.execPath, given, { encoding: 'utf8', timeout: 300_000, maxBuffer: 64_000_000 })
}
