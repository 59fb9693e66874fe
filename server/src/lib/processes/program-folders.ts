import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** `server/`, which contains all child programs. */
const SERVER = fileURLToPath(new URL('../../../', import.meta.url))
const SCOPE = '@docent'

/**
 * Paths that a child process must read to load its program, in the syntax of `--allow-fs-read`: this package, the
 * installed packages in its folder and its parents, and linked workspace packages. None contains the data folder or
 * `.env`.
 */
export function programFolders(): string[] {
  const paths = [join(SERVER, '*')]
  for (const folder of withParents(SERVER)) {
    const packages = join(folder, 'node_modules')
    paths.push(join(folder, 'package.json'))
    if (!existsSync(packages)) continue
    paths.push(join(packages, '*'), join(realpathSync(packages), '*'))
    const linked = join(packages, SCOPE)
    const names = existsSync(linked) ? readdirSync(linked) : []
    for (const name of names) paths.push(join(realpathSync(join(linked, name)), '*'))
  }
  return [...new Set(paths)]
}

function withParents(folder: string): string[] {
  const above = dirname(folder)
  return above === folder ? [folder] : [folder, ...withParents(above)]
}
