import { existsSync } from 'node:fs'
import { basename } from 'node:path'

/** True in the bundle, which consists of `.mjs` files in `dist/server/`, with the files of `dataAt` beside them. */
export const isBundle: boolean = import.meta.url.endsWith('.mjs')
/** `dist/server/`, or `server/src/`. */
const HERE = new URL(isBundle ? './' : '../', import.meta.url)

/** Folder of the installation, with `docs/` and `dist/`. */
export const ROOT: URL = new URL('../../', HERE)

/** The command as people can type it: in a checkout it is not on the PATH. */
export const docentCommand = (): string =>
  existsSync(new URL('scripts/launch.mjs', ROOT)) ? 'npm run docent --' : 'docent'

/** Folders with the code of all programs: the bundle, or `server/`. From source they load packages too. */
export const CODE: readonly URL[] = [isBundle ? HERE : new URL('../', HERE)]

/** A program for a thread or process, by its path in `server/src/` without extension. `scripts/bundle.mjs` lists them. */
export const programAt = (path: string): URL => new URL(isBundle ? `${basename(path)}.mjs` : `${path}.ts`, HERE)

/** A text that is read at run time, by its path in `server/src/`. */
export const dataAt = (path: string): URL => new URL(path, HERE)

/** A grammar of tree-sitter, such as `rust`. */
export const grammarAt = (name: string): URL => {
  const file = `tree-sitter-${name}.wasm`
  return new URL(isBundle ? file : import.meta.resolve(`@vscode/tree-sitter-wasm/wasm/${file}`), HERE)
}
