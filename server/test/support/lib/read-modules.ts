import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parseSync } from 'oxc-parser'

export type Module = {
  /** Path below the folder, with `/`. */
  path: string
  /** Source text without comments. */
  code: string
  /** Static, dynamic and worker imports: paths for files of the folder, specifiers for packages. */
  imports: string[]
  /** Imports of files that exist at run time; type imports leave nothing behind. */
  valueImports: string[]
}

/** Reads every TypeScript file of `folder` except tests, with its imports. */
export function readModules(folder: string): Map<string, Module> {
  const root = resolve(folder)
  const paths = globSync('**/*.{ts,tsx}', { cwd: root }).filter((path) => !path.endsWith('.test.ts'))
  return new Map(paths.map((path) => [path, readModule(root, path)]))
}

function readModule(root: string, path: string): Module {
  const text = readFileSync(join(root, path), 'utf8')
  const { module, comments, errors } = parseSync(path, text)
  if (errors[0]) throw new Error(`${path} cannot be parsed: ${errors[0].message}`)
  const code = comments.reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text)
  const statics = [
    ...module.staticImports.map(({ moduleRequest, entries }) => ({
      specifier: moduleRequest.value,
      isType: entries.length > 0 && entries.every(({ isType }) => isType),
    })),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) =>
        moduleRequest ? [{ specifier: moduleRequest.value, isType }] : [],
      ),
    ),
  ]
  const dynamics = module.dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1))
  const workers = [...code.matchAll(/new URL\(\s*'(\.[^']+\.ts)',\s*import\.meta\.url/g)].map(
    ([, specifier = '']) => specifier,
  )
  const target = (specifier: string): string => {
    if (specifier.startsWith('#')) return specifier.slice(1)
    return specifier.startsWith('.') ? relative(root, resolve(root, dirname(path), specifier)) : specifier
  }
  const imports = [...statics.map(({ specifier }) => specifier), ...dynamics, ...workers].map(target)
  // A worker is a separate program, so it cannot close an import cycle.
  const valueImports = [...statics.flatMap(({ specifier, isType }) => (isType ? [] : [specifier])), ...dynamics].map(
    target,
  )
  return { path, code, imports: [...new Set(imports)], valueImports: [...new Set(valueImports)] }
}
