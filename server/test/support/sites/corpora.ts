import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * The folder of an attack corpus (such as `robots`), or null without corpora. They are not part of the project:
 * `DOCENT_TEST_CORPORA` names the folder with `attack/corpora.tar.xz`. It is unpacked once into the temporary folder of
 * the machine and kept for the next run.
 */
export async function openCorpus(name: string): Promise<string | null> {
  const root = process.env['DOCENT_TEST_CORPORA']
  if (!root) {
    process.stderr.write(
      `\nSKIPPED: DOCENT_TEST_CORPORA is not set; nothing is tried against the corpus "${name}".\n\n`,
    )
    return null
  }
  const archive = join(root, 'attack', 'corpora.tar.xz')
  const { size, mtimeMs } = await stat(archive)
  const target = join(tmpdir(), `docent-corpus-${name}-${size}-${Math.round(mtimeMs)}`)
  if (await exists(target)) return target
  const parts = await mkdtemp(join(tmpdir(), 'docent-corpus-'))
  try {
    await run('tar', ['-xJf', archive, '-C', parts, `./${name}`])
    // Another test may have unpacked it first.
    await rename(join(parts, name), target).catch(async (error: unknown) => {
      if (!(await exists(target))) throw error
    })
  } finally {
    await rm(parts, { recursive: true, force: true })
  }
  return target
}

/** Paths of the archives in the corpus `archives`, or null without corpora. */
export async function listArchives(): Promise<string[] | null> {
  const folder = await openCorpus('archives')
  if (folder === null) return null
  const names = await readdir(folder, { recursive: true })
  return names.filter((name) => /\.(tar|tgz|zip|tbr|tzst)$/.test(name)).map((name) => join(folder, name))
}

/** A path that stays below its folder. */
export const SAFE_PATH = /^(?!\/)(?!.*(^|\/)\.\.(\/|$))[^\0]+$/

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
