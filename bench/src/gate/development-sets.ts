import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run as answer } from '#answers/answer.ts'
import { run as evaluate } from '#eval/eval.ts'
import type { Figures } from './recorded-figures.ts'

/** Sets that are indexed and asked in about a second of processor time each. Others take up to six. */
export const QUICK_SETS: ReadonlySet<string> = new Set([
  'claude-docs',
  'clippy-messages',
  'codebase-chunks',
  'cranfield',
  'openroad',
  'xquad-de',
])

/**
 * The folder of development sets, or of their gold answers, or null without `DOCENT_TEST_CORPORA`, which names a folder
 * with the archives. They are unpacked once into the temporary folder of the machine.
 */
export function openSets(archive: 'eval/dev.tar.xz' | 'eval/answers/dev.tar.xz'): string | null {
  const root = process.env['DOCENT_TEST_CORPORA']
  if (!root) {
    process.stderr.write('\nSKIPPED: DOCENT_TEST_CORPORA is not set; no development set is asked.\n\n')
    return null
  }
  const { size, mtimeMs } = statSync(join(root, archive))
  const target = join(tmpdir(), `docent-sets-${size}-${Math.round(mtimeMs)}`)
  if (existsSync(target)) return target
  const parts = mkdtempSync(join(tmpdir(), 'docent-sets-'))
  execFileSync('tar', ['-xJf', join(root, archive), '-C', parts])
  try {
    renameSync(parts, target)
  } catch (error) {
    // Another test may have unpacked it first.
    if (!existsSync(target)) throw error
    rmSync(parts, { recursive: true, force: true })
  }
  return target
}

/** nDCG@10 of each set in a folder that is wanted. */
export async function rankSets(folder: string, isWanted: (name: string) => boolean): Promise<Figures> {
  const figures: Record<string, number> = {}
  for (const name of readdirSync(folder).toSorted()) {
    if (!isWanted(name)) continue
    const { ndcg10 } = await evaluate(['--set', join(folder, name)])
    figures[name] = Number(ndcg10)
  }
  return figures
}

/** Sets with gold answers for most of their questions. */
const WITH_GOLD = ['claude-docs', 'jsquad', 'openroad', 'xquad-de']

/** Share of useful answers of each set with gold answers: those with at least half of the facts. */
export async function answerSets(folder: string, gold: string): Promise<Figures> {
  const options = ['--sets', folder, '--only', WITH_GOLD.join(','), '--gold', join(gold, 'dev')]
  const { answerable } = (await answer(options)) as {
    answerable: { sets: Record<string, { useful: { all: number } }> }
  }
  return Object.fromEntries(Object.entries(answerable.sets).map(([name, { useful }]) => [name, useful.all]))
}
