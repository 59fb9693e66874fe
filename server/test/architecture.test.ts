import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readModules } from './support/lib/read-modules.ts'

/**
 * Allowed imports between the folders of server/src. This table is the architecture: change it in review, never work
 * around it. A folder is listed below those that it may import.
 */
const MAY_IMPORT: Record<string, readonly string[]> = {
  lib: [],
  'documents/model': ['lib'],
  workers: ['lib'],
  net: ['lib', 'workers'],
  store: ['lib', 'workers'],
  jobs: ['lib', 'store'],
  search: ['lib', 'workers', 'documents/model'],
  auth: ['lib', 'store'],
  analytics: ['lib', 'store'],
  backup: ['lib', 'store'],
  billing: ['lib', 'store'],
  webhooks: ['lib', 'net', 'store', 'jobs', 'auth'],
  oauth: ['lib', 'net', 'store', 'auth'],
  models: ['lib', 'workers', 'net'],
  upstream: ['lib', 'net'],
  documents: ['lib', 'store', 'search', 'documents/model'],
  answer: ['lib', 'search', 'models', 'documents/model'],
  grammar: ['lib'],
  rules: ['lib', 'models', 'grammar'],
  builder: ['lib', 'store', 'models', 'grammar'],
  // From bytes to a published index.
  extract: ['lib', 'documents/model'],
  chunk: ['lib', 'search', 'extract', 'documents/model'],
  readers: ['lib', 'workers', 'net', 'search', 'extract', 'chunk'],
  crawl: ['lib', 'workers', 'net', 'store', 'jobs', 'search', 'extract', 'readers'],
  sources: 'lib documents/model workers net store jobs upstream extract chunk readers crawl'.split(' '),
  indexing: ['lib', 'workers', 'net', 'store', 'jobs', 'search', 'models', 'upstream', 'readers', 'crawl', 'sources'],
  mcp: 'lib documents/model workers net store search documents analytics answer grammar builder models upstream'.split(
    ' ',
  ),
  operations: [
    'lib',
    'net',
    'store',
    'jobs',
    'search',
    'analytics',
    'auth',
    'oauth',
    'models',
    'upstream',
    'answer',
    'grammar',
    'builder',
    'rules',
    'billing',
    'webhooks',
    'backup',
  ],
  http: ['lib', 'store', 'auth', 'oauth', 'analytics', 'billing', 'operations', 'mcp'],
  compose:
    'lib workers net store jobs search auth oauth analytics backup models upstream rules builder readers crawl sources indexing mcp billing webhooks operations http'.split(
      ' ',
    ),
}

/** Sub-folders in the order of their imports: a later one imports earlier ones, never the reverse. */
const ORDER: Record<string, string> = {
  'server/src/mcp': 'protocol passages definition arguments results pages remote custom tools dispatch threads hosted',
  'server/src/store': 'migrations engine accounts pages calls sources servers jobs webhooks instance snapshot',
  'server/src/search': 'analyse segment vectors catalogue rank rules',
  'server/src/operations': 'account sources servers analytics embed',
  contract: 'values operations reference',
  'dashboard/src': 'lib api live ui answer rules widgets screens',
  'bench/src': 'lib service rules eval answers gate ablate parts indexing peers load management dashboard',
  'server/test/support': 'lib database sites models service mcp indexing processes',
}

const SOURCE = 'server/src/'

/** Files outside of folders that every folder above `lib` may import. */
const COMMON = ['config.ts', 'errors.ts', 'log.ts', 'version.ts']

/** Packages that only some files may import. */
const OWNERS: Record<string, RegExp> = {
  'node:sqlite': /^store\//,
  pg: /^store\//,
  kysely: /^store\//,
  '@aws-sdk/client-s3': /^store\/engine\/blobs\/object-s3\.ts$/,
  undici: /^net\//,
  'node:http': /^(net|http)\/|^main\.ts$/,
  'node:https': /^net\//,
  'node:dns': /^net\/|^workers\/serve-child\.ts$/,
  hono: /^http\//,
  '@hono/node-server': /^http\/|^main\.ts$/,
}

/** Pure functions: no database, network, disk or clock. */
const PURE = /^(extract|chunk|documents\/model)\//
const PURE_MAY_IMPORT =
  /^((extract|chunk|documents\/model)\/|search\/page\.ts$|lib\/|node:(crypto|util|buffer|querystring|stream|stream\/promises|zlib)$|chardet$|htmlparser2|domhandler$|entities|tar$|yauzl$|web-tree-sitter$|js-yaml$|graphql$|numfmt$|@scalar\/openapi-upgrader$|unpdf$)/
/** Files with a map that is filled as they are loaded, and never afterwards. */
const FILLED_ONCE = ['answer/asked-terms.ts']

const IMPURE_GLOBALS = /\b(Date\.now|new Date\(\)|performance\.now|Math\.random|setTimeout|fetch\()/

const root = join(import.meta.dirname, '../..')
const modules = readModules(join(root, 'server/src'))
const source = [...modules.values()]
const folderOf = (path: string) =>
  path.startsWith('documents/model/') ? 'documents/model' : path.includes('/') ? (path.split('/')[0] ?? '') : ''
const edges = source.flatMap((from) => from.imports.map((to) => ({ from: from.path, to })))
const broken = (wrong: (edge: { from: string; to: string }) => boolean) =>
  edges.filter(wrong).map(({ from, to }) => `${from} imports ${to}`)

/** Parsers of untrusted input. Only reader processes load them (`server/src/workers/child-process.ts`). */
const PARSERS = /^(?:chardet|domhandler|htmlparser2|tar|unpdf|web-tree-sitter|js-yaml|numfmt|yauzl)\b/
/** Files of `extract/` for the main process: they read addresses, names and titles, but no documents. */
const OF_EXTRACT =
  /^extract\/(?:(?:resolve-link|site\/docsify|repository\/repository-file)\.ts|repository\/(?:omission-reasons|file-kinds)\.json)$/

describe('import scan', () => {
  test('finds the source files', () => {
    expect(source.length).toBeGreaterThan(100)
    for (const folder of [
      'lib',
      'net',
      'store',
      'jobs',
      'search',
      'auth',
      'extract',
      'crawl',
      'indexing',
      'answer',
      'mcp',
      'http',
    ]) {
      expect(source.some(({ path }) => folderOf(path) === folder)).toBe(true)
    }
  })

  test('resolves every import of a project file', () => {
    expect(broken(({ to }) => to.endsWith('.ts') && !modules.has(to))).toEqual([])
  })

  test('has every folder in MAY_IMPORT', () => {
    const folders = new Set(source.map(({ path }) => folderOf(path)).filter(Boolean))
    expect([...folders].filter((folder) => !(folder in MAY_IMPORT))).toEqual([])
  })

  test('lists every folder in MAY_IMPORT below those that it may import', () => {
    const order = Object.keys(MAY_IMPORT)
    const upwards = order.filter((folder, at) => MAY_IMPORT[folder]?.some((other) => order.indexOf(other) >= at))
    expect(upwards).toEqual([])
    expect(order.length).toBeGreaterThan(10)
  })
})

describe('imports', () => {
  test('allows imports only as in MAY_IMPORT', () => {
    const wrong = broken(({ from, to }) => {
      const [here, there] = [folderOf(from), folderOf(to)]
      return here !== '' && there !== '' && to.endsWith('.ts') && here !== there && !MAY_IMPORT[here]?.includes(there)
    })
    expect(wrong).toEqual([])
  })

  test('allows imports from files outside of folders only for the common ones', () => {
    expect(broken(({ from, to }) => folderOf(from) === 'lib' && COMMON.includes(to))).toEqual([])
    const ends = ['main.ts']
    expect(
      broken(({ from, to }) => modules.has(to) && folderOf(to) === '' && !COMMON.includes(to) && !ends.includes(from)),
    ).toEqual([])
  })

  test('allows only main.ts to import compose/, by one file', () => {
    expect(broken(({ from, to }) => folderOf(to) === 'compose' && folderOf(from) !== 'compose')).toEqual([
      'main.ts imports compose/compose-service.ts',
    ])
    expect(broken(({ to }) => to === 'main.ts')).toEqual([])
  })

  test.each(Object.entries(ORDER))('imports only earlier sub-folders within %s', (folder, names) => {
    const order = names.split(' ')
    const [parent, name] = folder.startsWith(SOURCE)
      ? [modules, `${folder.slice(SOURCE.length)}/`]
      : [readModules(join(root, folder)), '']
    const inside = [...parent.values()].filter(
      ({ path }) => path.startsWith(name) && path.slice(name.length).includes('/'),
    )
    const below = (path: string) => order.indexOf(path.slice(name.length).split('/')[0] ?? '')
    expect(inside.length).toBeGreaterThan(order.length)
    expect(inside.filter(({ path }) => below(path) === -1).map(({ path }) => path)).toEqual([])
    const wrong = inside.flatMap(({ path, imports }) =>
      imports
        .filter((to) => parent.has(to) && to.startsWith(name) && below(to) > below(path))
        .map((to) => `${path} imports ${to}`),
    )
    expect(wrong).toEqual([])
  })

  test('imports only the lowest files of search from within its folders', () => {
    const lowest = ['page.ts', 'passage.ts', 'weights.ts', 'byte-cache.ts'].map((name) => `search/${name}`)
    const wrong = broken(
      ({ from, to }) => /^search\/[^/]+\//.test(from) && /^search\/[^/]+$/.test(to) && !lowest.includes(to),
    )
    expect(wrong).toEqual([])
    expect(broken(({ from, to }) => lowest.includes(from) && /^search\/(?!catalogue\/)[^/]+\//.test(to))).toEqual([])
  })

  test('imports nothing beside the folders of the dashboard from within them', () => {
    const dashboard = [...readModules(join(root, 'dashboard/src')).values()]
    const inFolders = dashboard.filter(({ path }) => path.includes('/'))
    expect(inFolders.length).toBeGreaterThan(50)
    const isAbove = (to: string) => /^[a-z-]+\.tsx?$/.test(to)
    expect(
      inFolders.flatMap(({ path, imports }) => imports.filter(isAbove).map((to) => `${path} imports ${to}`)),
    ).toEqual([])
  })

  test('finds no import cycles', () => {
    expect(findCircles()).toEqual([])
  })

  test.each(Object.entries(OWNERS))('allows imports of %s only in its owners', (name, owner) => {
    const of = (to: string) => to === name || to.startsWith(`${name}/`)
    expect(broken(({ from, to }) => of(to) && !owner.test(from))).toEqual([])
  })

  test('keeps extraction and chunking pure', () => {
    const pure = source.filter(({ path }) => PURE.test(path))
    expect(pure.length).toBeGreaterThan(5)
    expect(broken(({ from, to }) => PURE.test(from) && !PURE_MAY_IMPORT.test(to))).toEqual([])
    expect(pure.filter(({ code }) => IMPURE_GLOBALS.test(code)).map(({ path }) => path)).toEqual([])
  })
})

describe('source code', () => {
  test('is given the environment, and does not read that of the process', () => {
    const readers = source.filter(({ code }) => /\bprocess\s*\.\s*env\b/.test(code)).map(({ path }) => path)
    expect(readers).toEqual([])
  })

  test('never ends the process', () => {
    expect(source.filter(({ code }) => /\bprocess\s*\.\s*(exit|abort)\(/.test(code)).map(({ path }) => path)).toEqual(
      [],
    )
  })

  test('keeps no state in modules', () => {
    const state =
      /^(?:export )?(?:let\b|const (?!.*\bReadonly)\w+(?:: [^=]+)? = (?:new (?:Weak)?(?:Map|Set|Ref)(?:<[^()]*>)?\(\)|\[\]|\{\}|new \w+(?:Cache|Memory)\b|(?:memoize|remember)\w*\())/m
    for (const code of [
      'let last = 0',
      'export const known = new Map<string, number>()',
      'const of = memoizeLast(read)',
    ])
      expect(code).toMatch(state)
    const keepers = source.filter(({ code }) => state.test(code)).map(({ path }) => path)
    expect(keepers.filter((path) => !FILLED_ONCE.includes(path))).toEqual([])
  })

  test('builds queries in store/ only', () => {
    const query = /\.(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(|\bsql(?:<[^`]*>)?`/
    const builders = source.filter(({ code }) => query.test(code)).map(({ path }) => path)
    expect(builders.length).toBeGreaterThan(20)
    expect(builders.filter((path) => !path.startsWith('store/'))).toEqual([])
  })

  test('names a database engine only in store/, config.ts and main.ts', () => {
    const named = source.filter(({ code }) => /(['"`])(sqlite|postgres)\1/.test(code)).map(({ path }) => path)
    expect(named.filter((path) => !/^store\/|^config\.ts$|^main\.ts$/.test(path))).toEqual([])
  })

  test('has no file with a generic name', () => {
    const names = /^(utils?|helpers?|managers?|types?|common|misc|shared|index|constants?)\.ts$/
    const files = globSync('{contract,server,cli,bench}/**/*.ts', {
      cwd: root,
      exclude: ['**/node_modules/**', '**/fixtures/**'],
    })
    expect(files.length).toBeGreaterThan(100)
    expect(files.filter((file) => names.test(basename(file)))).toEqual([])
  })
})

/** Import cycles as paths that end where they begin. */
function findCircles(): string[] {
  const circles: string[] = []
  const done = new Set<string>()
  const walk = (path: string, way: string[]): void => {
    if (way.includes(path)) return void circles.push([...way.slice(way.indexOf(path)), path].join(' -> '))
    if (done.has(path)) return
    for (const next of modules.get(path)?.valueImports ?? []) walk(next, [...way, path])
    done.add(path)
  }
  for (const path of modules.keys()) walk(path, [])
  return circles
}

describe('main process', () => {
  const reached = new Map([['main.ts', '']])
  for (const [path] of reached) {
    for (const to of modules.get(path)?.valueImports ?? []) if (!reached.has(to)) reached.set(to, path)
  }
  const wrong = (test: (path: string) => boolean) =>
    [...reached].filter(([path]) => test(path)).map(([path, by]) => `${path}, imported by ${by}`)

  test('loads no parser of fetched or uploaded documents', () => {
    expect(reached.size).toBeGreaterThan(200)
    expect(wrong((path) => PARSERS.test(path))).toEqual([])
    expect(wrong((path) => /^(?:extract|chunk)\//.test(path) && !OF_EXTRACT.test(path))).toEqual([])
    expect(wrong((path) => path === 'readers/read-list.ts')).toEqual([])
  })

  test('reads the name of the operating system in one module only', () => {
    const cli = readModules(join(import.meta.dirname, '../../cli/src'))
    const readers = [...modules, ...cli].filter(([, { code }]) => /process\.platform|\bplatform\(\)/.test(code))
    expect(readers.map(([path]) => path)).toEqual(['lib/operating-system.ts'])
  })

  test('parses no robots.txt', () => {
    const callers = [...reached.keys()].filter((path) => /\bparseRobots\b/.test(modules.get(path)?.code ?? ''))
    expect(callers).toEqual(['net/robots-rules.ts'])
  })
})
