// Bundles the command line, the service and its programs into `dist/server/`. `scripts/launch/builds.mjs` runs it.
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { build } from 'rolldown'
import { writeLicences } from './licences.mjs'

const root = join(import.meta.dirname, '..')
const source = join(root, 'server/src')
const target = join(root, 'dist/server')

const FILES = readdirSync(source, { recursive: true, encoding: 'utf8' })
/** Programs of threads and processes (`programAt`): files with these names. */
const PROGRAMS = FILES.filter((path) => /-(?:worker|thread)\.ts$/.test(path) && !path.startsWith('workers'))
/** Texts that are read at run time (`dataAt`). */
const TEXTS = FILES.filter((path) => /\.(?:txt|html|sql)$/.test(path) && !path.includes('fixtures'))
const GRAMMARS = join(root, 'node_modules/@vscode/tree-sitter-wasm/wasm')
/** @type {{endings: Record<string, {grammar: string}>}} */
const LANGUAGES = JSON.parse(readFileSync(join(source, 'extract/repository/code-languages.json'), 'utf8'))
/** The parser of code and the grammars that it uses. */
const PARSERS = [
  join(root, 'node_modules/web-tree-sitter/web-tree-sitter.wasm'),
  ...Object.values(LANGUAGES.endings).map(({ grammar }) => join(GRAMMARS, `tree-sitter-${grammar}.wasm`)),
]

const isScript = (/** @type {string} */ name) => /\.mjs(?:\.map)?$/.test(name)
const earlier = filesOfLast()
const programs = PROGRAMS.map((path) => [basename(path, '.ts'), join(source, path)])
const { output } = await build({
  cwd: root,
  input: { docent: join(root, 'cli/src/main.ts'), ...Object.fromEntries(programs) },
  platform: 'node',
  // Its main file hides its imports from bundlers (UMD).
  resolve: { alias: { 'jsonc-parser': join(root, 'node_modules/jsonc-parser/lib/esm/main.js') } },
  // A package of the parser of code evaluates texts of grammars that no grammar of ours has.
  checks: { eval: false },
  plugins: [writeLicences([GRAMMARS])],
  output: {
    dir: target,
    minify: true,
    // V8 keeps a file with any other character in two bytes each: 5 MB of the service.
    charset: 'ascii',
    sourcemap: true,
    // Half of a package would be sources. In a checkout, the paths lead to them.
    sourcemapExcludeSources: true,
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
    comments: { legal: true, annotation: false, jsdoc: false },
  },
})
// One file that needs nothing else: bundles for desktop clients contain it.
await build({
  cwd: root,
  input: { bridge: join(root, 'cli/src/bridge/standalone.ts') },
  platform: 'node',
  plugins: [writeLicences()],
  output: { dir: join(target, 'bridge'), minify: true, entryFileNames: '[name].mjs', comments: { legal: true } },
})
for (const path of TEXTS) {
  mkdirSync(dirname(join(target, path)), { recursive: true })
  copyFileSync(join(source, path), join(target, path))
}
for (const path of PARSERS) copyFileSync(path, join(target, basename(path)))
const files = output.map(({ fileName }) => fileName).filter(isScript)
// A service that runs the build before this one loads some of its files when it first needs them.
const old = readdirSync(target).filter((name) => isScript(name) && !files.includes(name))
for (const name of old) if (!earlier.includes(name)) rmSync(join(target, name))
writeFileSync(join(target, '.npmignore'), ['.files', ...old].join('\n'))
writeFileSync(join(target, '.files'), files.join('\n'))
writeFileSync(join(target, 'build.json'), JSON.stringify({ commit: commitOf(), builtAt: new Date().toISOString() }))

/** @returns {string[]} the scripts of the last build */
function filesOfLast() {
  const path = join(target, '.files')
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
}

/** The commit of this checkout, or the one named for a copy without its history. */
function commitOf() {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : process.env['DOCENT_COMMIT'] || null
}
