import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ensureBuilds } from './launch/builds.mjs'
import { commandLine, COMMANDS } from './launch/commands.mjs'
import { isComplete } from './launch/dependencies.mjs'
import { childEnvironment, npmEnvironment } from './launch/environment.mjs'
import { isRecent } from './launch/node-version.mjs'
import { addAddresses, fetchArchive, installPackages } from './launch/npm.mjs'
import { SERVICE_FLAGS } from './launch/service-flags.mjs'
import { useFolder } from './testing/use-folder.ts'

const root = join(import.meta.dirname, '..')
const launcher = join(root, 'scripts/launch.mjs')

const used = useFolder()
afterEach(() => vi.unstubAllEnvs())
const { write } = used

describe('runtime', () => {
  test.each([
    ['20.20.2', false],
    ['24.11.9', false],
    ['24.12.0', true],
    ['24.21.0', true],
    ['26.0.0', true],
  ])('accepts Node %s: %s', (version, expected) => {
    expect(isRecent(version)).toBe(expected)
  })
})

describe('lockfile', () => {
  type Entry = { resolved?: string; integrity?: string; link?: boolean; optionalDependencies?: Record<string, string> }
  const read = (path: string) =>
    (JSON.parse(readFileSync(join(root, path), 'utf8')) as { packages: Record<string, Entry> }).packages
  const packages = read('package-lock.json')

  test('contains the optional packages of every platform, which `npm ci` requires', () => {
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter((name) => {
        const folders = path
          .split('/node_modules/')
          .map((_, depth, parts) => parts.slice(0, depth + 1).join('/node_modules/'))
        return !['', ...folders.map((folder) => `${folder}/`)].some(
          (folder) => `${folder}node_modules/${name}` in packages,
        )
      }),
    )
    expect(missing).toEqual([])
  })

  test.each([
    'package-lock.json',
    'bench/peers/package-lock.json',
    'scripts/runtime/package-lock.json',
    'server/test/mcp/clients/package-lock.json',
  ])('%s has the hash of every package, and no registry URL', (path) => {
    const installed = Object.entries(read(path)).filter(([name, { link }]) => name.includes('node_modules/') && !link)
    expect(installed.length).toBeGreaterThan(1)
    expect(installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([name]) => name)).toEqual([])
    expect(installed.filter(([, { resolved }]) => resolved !== undefined).map(([name]) => name)).toEqual([])
  })
})

describe('commands', () => {
  test.each(['bench', 'eval', 'tune', 'test', 'test:long', 'verify'])(
    'installs the development dependencies for %s',
    (name) => {
      expect(COMMANDS.get(name)?.dev).toBe(true)
    },
  )

  test('runs docent as a standalone command, with paths relative to the caller’s folder', () => {
    const { bin, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      version: string
      bin: { docent: string }
    }
    const { stdout, status } = spawnSync(process.execPath, [join(root, bin.docent), '--version'], {
      cwd: used.folder,
      encoding: 'utf8',
    })
    expect(status).toBe(0)
    const [own, ...build] = stdout.trim().split(', ')
    expect(own).toBe(version)
    expect(build.join(', ')).toMatch(/^(?:commit [0-9a-f]{12}, )?\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  })

  const line = (name: string, args: string[], isBuilt = false) => {
    const command = COMMANDS.get(name)
    if (!command) throw new Error(name)
    return commandLine(root, command, args, { isBuilt }).map((part) => part.replace(`${root}/`, ''))
  }

  test.each([
    ['start', [], [...SERVICE_FLAGS, 'cli/src/main.ts', 'serve']],
    ['start', ['https://docs.example.org/'], [...SERVICE_FLAGS, 'cli/src/main.ts', 'try', 'https://docs.example.org/']],
    ['start', ['docs.example.org'], [...SERVICE_FLAGS, 'cli/src/main.ts', 'try', 'docs.example.org']],
    [
      'start',
      ['--name', 'x', 'http://a.example/'],
      [...SERVICE_FLAGS, 'cli/src/main.ts', 'try', '--name', 'x', 'http://a.example/'],
    ],
    ['start', ['--help'], [...SERVICE_FLAGS, 'cli/src/main.ts', 'serve', '--help']],
    ['docent', ['admin', 'key'], [...SERVICE_FLAGS, 'cli/src/main.ts', 'admin', 'key']],
    ['eval', ['--set', 'x'], ['bench/src/main.ts', 'eval', '--set', 'x']],
    ['tune', ['--all', 'x'], ['bench/src/main.ts', 'tune', '--all', 'x']],
    ['test', ['cli'], ['node_modules/vitest/vitest.mjs', 'run', 'cli']],
    ['test:long', ['cli'], ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.long.config.ts', 'cli']],
    ['run', ['tsc', '--noEmit'], ['node_modules/typescript/bin/tsc', '--noEmit']],
  ])('maps a command to Node’s arguments: %s %j', (name, args, expected) => {
    expect(line(name, args)).toEqual(expected)
  })

  test('runs the bundle of the service and the command, and scripts of the checkout as they are', async () => {
    await ensureBuilds(root, process.execPath)
    expect(line('start', [], true)).toEqual([...SERVICE_FLAGS, 'dist/server/docent.mjs', 'serve'])
    expect(line('docent', ['doctor'], true)).toEqual([...SERVICE_FLAGS, 'dist/server/docent.mjs', 'doctor'])
    expect(line('eval', [], true)).toEqual(['bench/src/main.ts', 'eval'])
  })

  test('covers every script of package.json', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>
    }
    for (const script of Object.values(scripts)) {
      expect(COMMANDS.has(/^exec node scripts\/launch\.mjs ([\w:]+)/.exec(script)?.[1] ?? '')).toBe(true)
    }
  })

  test('exits with 1 and a sentence for an unknown command or tool', () => {
    for (const args of [['fly'], [], ['run', 'no-such-tool'], ['run']]) {
      const { status, stderr } = spawnSync(process.execPath, [launcher, ...args], { encoding: 'utf8' })
      expect({ args, status }).toEqual({ args, status: 1 })
      expect(stderr).toMatch(/^docent: There is no (command|tool) "[^\n]+\n$/)
    }
  })
})

describe('environment', () => {
  test('passes only registry settings from an outer npm to an inner installation', () => {
    const before = { ...process.env }
    Object.assign(process.env, {
      npm_config_omit: 'dev',
      npm_config_registry: 'https://npm.example/',
      npm_config_global: 'true',
    })
    try {
      const env = npmEnvironment()
      expect(env['npm_config_registry']).toBe('https://npm.example/')
      expect(env['npm_config_omit']).toBeUndefined()
      expect(env['npm_config_global']).toBeUndefined()
    } finally {
      for (const name of ['npm_config_omit', 'npm_config_registry', 'npm_config_global']) {
        if (before[name] === undefined) delete process.env[name]
        else process.env[name] = before[name]
      }
    }
  })

  test('puts the service’s Node first on the PATH and sets a compile cache', () => {
    const env = childEnvironment(used.folder, process.execPath)
    expect(env['PATH']?.split(':')[0]).toBe(join(process.execPath, '..'))
    expect(env['NODE_COMPILE_CACHE']).toBeTruthy()
  })
})

test('says which host npm cannot reach, while npm goes on and when it has failed', async () => {
  write('package.json', { name: 'x', dependencies: { a: '1.0.0' } })
  write('package-lock.json', { lockfileVersion: 3, packages: { '': { dependencies: { a: '1.0.0' } } } })
  write('.runtime/x', '')
  const module = new URL('launch/npm.mjs', import.meta.url).href
  const script = `(await import('${module}')).installPackages(...JSON.parse(process.argv[1])).catch((error) => console.error(error.message))`
  const input = JSON.stringify([used.folder, { dev: false }])
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script, input], {
    encoding: 'utf8',
    env: {
      ...process.env,
      npm_config_registry: 'http://127.0.0.1:19151/',
      npm_config_proxy: 'null',
      npm_config_https_proxy: 'null',
      npm_config_fetch_retries: '0',
      npm_config_cache: join(used.folder, 'cache'),
    },
  })
  const sentence = '127.0.0.1:19151 cannot be reached (ECONNREFUSED). Check the network'
  expect(stderr).toMatch(/cannot be reached[^]*npm goes on trying[^]*npm could not install into/)
  expect(stderr.split(sentence)).toHaveLength(3)
})

test.each(['https://npm.example/folder/', 'https://npm.example/folder'])(
  'gives each package of a lockfile its address at %s',
  (registry) => {
    const packages = {
      '': { version: '1.0.0' },
      contract: { version: '1.0.0' },
      'node_modules/@docent/contract': { resolved: 'contract', link: true },
      'node_modules/@a/b': { version: '1.0.0', integrity: 'sha512-1' },
      'node_modules/@a/b/node_modules/c': { version: '2.0.0', integrity: 'sha512-2' },
      'node_modules/alias': { name: '@a/d', version: '3.0.0', integrity: 'sha512-3' },
    }
    const { packages: addressed } = JSON.parse(addAddresses(JSON.stringify({ packages }), registry)) as {
      packages: Record<string, { resolved?: string }>
    }
    expect(Object.values(addressed).map(({ resolved }) => resolved)).toEqual([
      undefined,
      undefined,
      'contract',
      'https://npm.example/folder/@a/b/-/b-1.0.0.tgz',
      'https://npm.example/folder/c/-/c-2.0.0.tgz',
      'https://npm.example/folder/@a/d/-/d-3.0.0.tgz',
    ])
  },
)

describe('an installation with npm', () => {
  /** A program instead of npm. It packs `text`, and knows no package at the usual address. */
  const withNpm = (text: string) => {
    write('package.json', { type: 'commonjs' })
    write(
      'npm-cli.js',
      `const fs = require('node:fs')
      const [command, , , target] = process.argv.slice(2)
      if (command === 'config') console.log('registry=file:///packages/')
      else if (command === 'pack') fs.writeFileSync(target + '/node-a-1.0.0.tgz', ${JSON.stringify(text)})
      else {
        const isAddressed = fs.existsSync('npm-shrinkwrap.json')
        fs.appendFileSync('runs', isAddressed ? 'with addresses, ' : 'without')
        if (isAddressed) console.error('npm error code E404')
        if (isAddressed) process.exitCode = 1
      }`,
    )
    vi.stubEnv('npm_execpath', join(used.folder, 'npm-cli.js'))
  }
  const integrity = `sha512-${createHash('sha512').update('archive').digest('base64')}`
  const fetchNode = () =>
    fetchArchive({ name: 'node-a', version: '1.0.0', integrity }, { folder: used.folder, root: used.folder })

  test('takes an archive with the hash of the lockfile', async () => {
    withNpm('archive')
    expect(await fetchNode()).toBe(join(used.folder, 'node-a-1.0.0.tgz'))
  })

  test('removes an archive with another hash and says so', async () => {
    withNpm('another')
    await expect(fetchNode()).rejects.toThrow('The registry has another node-a 1.0.0 than the lockfile names.')
    expect(existsSync(join(used.folder, 'node-a-1.0.0.tgz'))).toBe(false)
  })

  test('asks a registry with other addresses for them, and leaves no second lockfile', async () => {
    withNpm('')
    write('.runtime/x', '')
    write('package-lock.json', { packages: { 'node_modules/a': { version: '1.0.0', integrity } } })
    await installPackages(used.folder, { dev: false })
    expect(readFileSync(join(used.folder, 'runs'), 'utf8')).toBe('with addresses, without')
    expect(existsSync(join(used.folder, 'npm-shrinkwrap.json'))).toBe(false)
  })
})

describe('dependencies', () => {
  const install = (packages: Record<string, object>) => {
    write('node_modules/.package-lock.json', { packages })
    for (const path of Object.keys(packages)) write(join(path, 'package.json'), '{}')
  }
  const lock = (packages: Record<string, object>) => write('package-lock.json', { packages })
  const one = { version: '1.0.0', integrity: 'sha512-1' }

  test('accepts an installation whose record matches the lockfile', () => {
    lock({ '': {}, 'node_modules/a': one, 'node_modules/b': { ...one, dev: true } })
    install({ 'node_modules/a': one, 'node_modules/b': { ...one, dev: true } })
    expect(isComplete(used.folder, true)).toBe(true)
  })

  test('accepts an installation without development dependencies for running', () => {
    lock({ 'node_modules/a': one, 'node_modules/b': { ...one, dev: true } })
    install({ 'node_modules/a': one })
    expect(isComplete(used.folder, false)).toBe(true)
    expect(isComplete(used.folder, true)).toBe(false)
  })

  test('accepts a missing optional package of another platform', () => {
    lock({ 'node_modules/a': one, 'node_modules/a-win32': { ...one, optional: true } })
    install({ 'node_modules/a': one })
    expect(isComplete(used.folder, true)).toBe(true)
  })

  test.each([
    ['of another version', { ...one, version: '1.0.1' }],
    ['with another content', { ...one, integrity: 'sha512-2' }],
  ])('rejects an installation with a package %s', (_, found) => {
    lock({ 'node_modules/a': one })
    install({ 'node_modules/a': found })
    expect(isComplete(used.folder, true)).toBe(false)
  })

  test('rejects an installation with a missing package or link, and an empty one', () => {
    lock({ 'node_modules/a': one })
    expect(isComplete(used.folder, true)).toBe(false)
    install({ 'node_modules/a': one })
    rmSync(join(used.folder, 'node_modules/a'), { recursive: true })
    expect(isComplete(used.folder, true)).toBe(false)
    lock({ 'node_modules/@x/y': { link: true } })
    expect(isComplete(used.folder, true)).toBe(false)
  })

  test('rejects an unfinished installation', () => {
    lock({ 'node_modules/a': one })
    install({ 'node_modules/a': one })
    write('.runtime/unfinished', '')
    expect(isComplete(used.folder, true)).toBe(false)
  })

  test('rejects a truncated installation record', () => {
    lock({ 'node_modules/a': one })
    install({ 'node_modules/a': one })
    write('node_modules/.package-lock.json', '{"packages": {')
    expect(isComplete(used.folder, true)).toBe(false)
  })
})

describe('child process', () => {
  const start = (program: string) => {
    write('program.mjs', program)
    write(
      'parent.mjs',
      `import { runChild } from ${JSON.stringify(join(root, 'scripts/launch/child.mjs'))}
      const exit = await runChild(process.execPath, [${JSON.stringify(join(used.folder, 'program.mjs'))}], { cwd: '.', env: process.env })
      process.exitCode = exit.code`,
    )
    const child = spawn(process.execPath, [join(used.folder, 'parent.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    const ready = new Promise<void>((resolve) => child.stdout.once('data', () => resolve()))
    return { child, ended, ready }
  }

  test('passes on the child’s exit code', async () => {
    expect(await start('process.exitCode = 7').ended).toBe(7)
  })

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'forwards %s and lets the child exit in its own time',
    async (signal) => {
      const { child, ended, ready } = start(`
      process.on('${signal}', () => setTimeout(() => process.exit(3), 100))
      setInterval(() => {}, 1000)
      console.log('ready')`)
      await ready
      child.kill(signal)
      expect(await ended).toBe(3)
    },
  )

  test('counts a fatal signal as 128 plus the signal number', async () => {
    expect(await start("process.kill(process.pid, 'SIGKILL')").ended).toBe(137)
  })
})

test.skipIf(process.platform === 'win32')('starts in two seconds of processor time when nothing is missing', () => {
  const run = () => {
    // The shell counts the time of the launcher and of its child.
    const script = `TIMEFORMAT='%U %S'; time "$0" "$1" docent --version`
    const { status, stderr } = spawnSync('bash', ['-c', script, process.execPath, launcher], { encoding: 'utf8' })
    expect(status).toBe(0)
    const [user = NaN, system = NaN] = stderr.trim().split(/\s+/).slice(-2).map(Number)
    return user + system
  }
  run()
  expect(run()).toBeLessThan(2)
})
