/** Writes the package of the client, for `npm pack` and `npm publish`: `build-package.ts [FOLDER]`. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Operation } from '@docent/contract/operation'
import { operations } from '@docent/contract/operations'
import { describeTypes } from './describe-types.ts'

const root = join(import.meta.dirname, '../..')
const source = join(root, 'sdk/src')
const target = process.argv[2] ?? join(root, 'sdk/dist')

/** Compiled modules of the package, and whether users see their types. */
const MODULES = [
  ['sdk/src/client', true],
  ['sdk/src/error', true],
  ['sdk/src/retry', true],
  ['sdk/src/request', false],
  ['sdk/src/read-items', false],
  ['contract/errors', false],
] as const

rmSync(target, { recursive: true, force: true })
mkdirSync(target, { recursive: true })
writeModules()
write('operations.js', `export const operations = ${JSON.stringify(addresses(), null, 2)}\n`)
write('operation-types.d.ts', describeTypes())
write('package.json', `${JSON.stringify(manifest(), null, 2)}\n`)
copyFileSync(join(root, 'LICENSE'), join(target, 'LICENSE'))
// Links to other documents lead nowhere from a package.
write(
  'README.md',
  readFileSync(join(root, 'docs/client.md'), 'utf8').replaceAll(
    /\[([^\][]{1,200})\]\([a-z-]{1,50}\.md[^)]{0,100}\)/g,
    '$1',
  ),
)

function write(name: string, text: string): void {
  writeFileSync(join(target, name), text)
}

/** The data that the client needs for requests. The schemas stay in the service. */
function addresses(): Record<string, object> {
  const all = Object.entries<Operation>(operations).map(([id, operation]) => {
    const { method, path, auth, onceByKey, consumes, produces, errors } = operation
    return [id, { method, path, auth, onceByKey, consumes, produces, errors }]
  })
  return Object.fromEntries(all) as Record<string, object>
}

/** Imports of the workspace as those of the package, where all files are side by side. */
function inPackage(text: string): string {
  return text.replaceAll(/from '(?:@docent\/contract|\.)\/([\w-]+)(?:\.[jt]s)?'/g, "from './$1.js'")
}

function writeModules(): void {
  const draft = mkdtempSync(join(tmpdir(), 'docent-sdk-'))
  try {
    const flags =
      '--declaration --noCheck --checkers 1 --skipLibCheck --strict --exactOptionalPropertyTypes --rewriteRelativeImportExtensions'
    const modules = '--ignoreConfig --module nodenext --target es2022 --lib esnext --types node'
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    const options = [...flags.split(' '), ...modules.split(' '), '--rootDir', root, '--outDir', draft]
    const args = [compiler, ...options, join(source, 'client.ts'), join(root, 'contract/errors.ts')]
    execFileSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
    for (const [path, isPublic] of MODULES) {
      for (const ending of isPublic ? ['.js', '.d.ts'] : ['.js']) {
        write(`${basename(path)}${ending}`, inPackage(readFileSync(join(draft, `${path}${ending}`), 'utf8')))
      }
    }
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

function manifest(): Record<string, unknown> {
  const { name, version, description, license, type } = JSON.parse(
    readFileSync(join(root, 'sdk/package.json'), 'utf8'),
  ) as Record<string, unknown>
  const entry = (file: string) => ({ types: `./${file}.d.ts`, default: `./${file}.js` })
  return {
    name,
    version,
    description,
    license,
    type,
    engines: { node: '>=22' },
    sideEffects: false,
    exports: { '.': entry('client'), './error': entry('error') },
    files: ['*.js', '*.d.ts'],
  }
}
