import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const documents = globSync('{*.md,docs/*.md}', { cwd: root })

test('finds the documents', () => {
  const expected = ['README.md', 'ARCHITECTURE.md', 'AGENTS.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md']
  expect(documents).toEqual(expect.arrayContaining(expected))
  expect(read('LICENSE')).toContain('Apache License')
})

describe.each(documents)('%s', (document) => {
  const text = read(document)

  test('names only paths that exist', () => {
    const named = [
      ...text.matchAll(/`((?:contract|server|cli|dashboard|bench|web|scripts|docs|deploy|\.ci|\.runtime)\/[^`\s]*)`/g),
    ]
    const paths = named.map(([, path = '']) => path).filter((path) => !/[<>*{}]/.test(path) && path !== '.runtime/')
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  test('links only to files that exist', () => {
    const links = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target)
    const files = links.filter((target) => !/^[a-z]+:/.test(target))
    expect(files.filter((target) => !existsSync(join(root, dirname(document), target)))).toEqual([])
  })

  test('names only npm scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    const named = [...text.matchAll(/\bnpm (?:(start|test)\b|run (?:--silent )?([a-z]+))/g)].map(
      ([, short, long]) => short ?? long ?? '',
    )
    expect(named.filter((name) => !(name in scripts))).toEqual([])
  })

  test('names only commands of docent that exist', () => {
    const program = globSync('cli/src/{program,add-*}.ts', { cwd: root }).map(read).join('\n')
    const tables = globSync('cli/src/client/*-commands.ts', { cwd: root }).map(read).join('\n')
    const shells = [...read('cli/src/complete/shell-scripts.ts').matchAll(/^ {2}([a-z]+): `/gm)].map(
      ([, name = '']) => name,
    )
    const known = [
      ...shells,
      ...[...program.matchAll(/\.command\('([a-z-]+)'\)/g)].map(([, name = '']) => name),
      ...[...tables.matchAll(/\bname: '([a-z -]+)'/g)].flatMap(([, name = '']) => name.split(' ')),
    ]
    expect(known).toContain('serve')
    const named = [...text.matchAll(/\bdocent (?:-- )?([a-z]+(?:-[a-z]+)*)(?: ([a-z]+))?[` ]/g)].flatMap(
      ([, ...words]) => words,
    )
    const commands = named.filter((word) => word !== undefined)
    expect(commands.filter((word) => !known.includes(word))).toEqual([])
  })

  test('names only settings that exist', () => {
    const named = [...text.matchAll(/\b(DOCENT_[A-Z\d_]+)\b/g)].map(([, name = '']) => name)
    const known = [
      ...settingsOf('server/src/config.ts', 'server/src/lib/blob-settings.ts'),
      'DOCENT_TEST_CORPORA',
      'DOCENT_TEST_CLIENTS',
      'DOCENT_PEER_DIR',
    ]
    expect(named.filter((name) => !known.includes(name.replace(/_FILE$/, '')))).toEqual([])
  })
})

test('lists every document in docs/README.md', () => {
  const files = globSync('docs/*.*', { cwd: root }).map((path) => path.replace(/^docs./, ''))
  const index = read('docs/README.md')
  expect(files.filter((file) => file !== 'README.md' && !index.includes(`](${file})`))).toEqual([])
})

test('shows the README’s two commands before line 30', () => {
  const lines = read('README.md').split('\n').slice(0, 29)
  for (const command of ['npm start -- http', 'npm start '])
    expect(lines.some((line) => line.startsWith(command))).toBe(true)
})

describe('settings', () => {
  const settings = settingsOf('server/src/config.ts', 'server/src/lib/blob-settings.ts')

  test('finds the settings in the source code', () => {
    expect(settings.length).toBeGreaterThan(8)
  })

  test('documents exactly the existing settings in docs/settings.md', () => {
    const rows = [...read('docs/settings.md').matchAll(/^\| `([A-Z\d_]+)`/gm)].map(([, name]) => name)
    expect(rows.toSorted(byName)).toEqual(settings.toSorted(byName))
  })

  test('lists exactly the existing settings in .env.example', () => {
    const lines = [...read('.env.example').matchAll(/^(?:# )?([A-Z\d_]+)=/gm)].map(([, name]) => name)
    expect(lines.filter((name) => name !== 'NAME_FILE').toSorted(byName)).toEqual(settings.toSorted(byName))
  })
})

test('quotes messages in docs/troubleshooting.md as they are in the code', () => {
  const paths = globSync('{server,cli}/src/**/*.{ts,json}', { cwd: root }).filter((path) => !path.endsWith('.test.ts'))
  const code = [...paths, 'contract/errors.ts', ...globSync('scripts/launch/*.mjs', { cwd: root })].map(read).join('\n')
  const rows = [...read('docs/troubleshooting.md').matchAll(/^\| ([^|]*) \|/gm)].map(([, cell = '']) => cell)
  const messages = rows.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text))
  const parts = messages.flatMap((text) => text.split('…')).map((part) => part.trim())
  const quoted = parts.filter((part) => part.includes(' '))
  expect(quoted.length).toBeGreaterThan(30)
  expect(quoted.filter((part) => !code.includes(part))).toEqual([])
})

test('lists exactly the dependencies in docs/dependencies.md, each with a reason', () => {
  const packages = globSync(
    '{package.json,*/package.json,scripts/runtime/package.json,server/test/mcp/clients/package.json}',
    { cwd: root },
  ).flatMap((path) => {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read(path)) as Record<string, object>
    return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
  })
  const ours = [...new Set(packages)].filter((name) => !name.startsWith('@docent/'))
  const [used = ''] = read('docs/dependencies.md').split('## Data in the source')
  const listed = [...used.matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name)
  expect(ours.length).toBeGreaterThan(10)
  expect(listed.toSorted(byName)).toEqual(ours.toSorted(byName))
})

/** Variables declared in configuration files, each on a line that begins with its name. */
function settingsOf(...paths: string[]): string[] {
  return paths.flatMap((path) =>
    [...read(path).matchAll(/'((?:DOCENT|DATABASE)_[A-Z\d_]+)',/g)].map(([, name = '']) => name),
  )
}

function byName(a = '', b = ''): number {
  return a < b ? -1 : Number(a > b)
}
