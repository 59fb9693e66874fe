import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { runCommand, runProgram } from '../server/test/support/lib/run-program.ts'
import { spawnService } from '../server/test/support/service/service-process.ts'
import { page, startSite } from '../server/test/support/sites/site.ts'
import { indexDocs } from './index-docs.mjs'

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'docent package test-'))
const inside = (name: string) => join(folder, name)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** An empty home, and nothing of this environment but the programs. */
const env = {
  // eslint-disable-next-line node/no-process-env -- npm and Node are found
  PATH: [dirname(process.execPath), process.env['PATH']].join(':'),
  HOME: inside('home'),
  DOCENT_DATA_DIR: inside('data'),
}
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const command = inside('node_modules/docent/scripts/docent.mjs')
const docent = async (environment: NodeJS.ProcessEnv, ...args: string[]) =>
  runProgram(command, args, { cwd: folder, env: environment })

async function npm(cwd: string, ...args: string[]): Promise<void> {
  const { code, stderr } = await runCommand('npm', args, { cwd, env })
  if (code !== 0) throw new Error(stderr)
}

/** The package brings its documents read and divided. Only the index is built. */
async function askAboutDocent(env: NodeJS.ProcessEnv): Promise<void> {
  const made = await docent(env, 'servers', 'docs')
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/\d+ pages came with the file\.$/m) })
  const asked = await docent(env, 'ask', 'docs', 'How do I export a server to a file?')
  expect(asked).toMatchObject({ code: 0, stdout: expect.stringContaining('docent servers export') })
}

describe('the package', () => {
  beforeAll(async () => {
    mkdirSync(inside('home'))
    if (inject('isLong')) await indexDocs(root)
    await npm(root, 'pack', '--pack-destination', folder)
    await npm(folder, 'install', '--offline', '--prefix', folder, inside(`docent-${version}.tgz`))
  })

  test('has at most 8 MB, no dependencies, and the licences of its parts', async () => {
    expect(statSync(inside(`docent-${version}.tgz`)).size).toBeLessThan(8_000_000)
    const { packages } = JSON.parse(readFileSync(inside('node_modules/.package-lock.json'), 'utf8')) as {
      packages: object
    }
    expect(Object.keys(packages)).toEqual(['node_modules/docent'])
    const licences = readFileSync(inside('node_modules/docent/dist/licences.txt'), 'utf8')
    for (const name of ['hono', 'kysely', 'undici', 'preact', 'web-tree-sitter', '@vscode/tree-sitter-wasm'])
      expect(licences).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+, \\S`, 'm'))
    expect(await docent(env, '--version')).toMatchObject({ code: 0, stdout: expect.stringMatching(`^${version}, `) })
  })

  test('indexes a site and answers a question in an empty folder', async () => {
    const answer = 'The gasket of a sprocket is greased every 400 hours.'
    await using site = await startSite({ '/': page('Maintenance of sprockets', answer) })
    const account = { DOCENT_ADMIN_EMAIL: 'a@example.test', DOCENT_ADMIN_PASSWORD: 'not a guess at all' }
    const settings = { ...env, ...account, DOCENT_ALLOW_NETWORKS: '127.0.0.0/8' }
    await using service = await spawnService(settings, undefined, [command])
    const health = (await (await fetch(`${service.url}/healthz`)).json()) as object
    expect(Object.keys(health)).toEqual(['status', 'version', 'commit', 'builtAt'])
    const key = await docent(env, 'admin', 'key', '--email', account.DOCENT_ADMIN_EMAIL, '--name', 'first')
    const own = { ...env, DOCENT_URL: service.url, DOCENT_API_KEY: key.stdout.trim() }
    const made = await docent(own, 'servers', 'create', 'Sprockets', site.url, '--watch')
    expect(made).toMatchObject({ code: 0 })
    const asked = await docent(own, 'ask', 'sprockets', 'How often is the gasket greased?')
    expect(asked).toMatchObject({ code: 0, stdout: expect.stringContaining('every 400 hours') })
    const connected = await docent(own, 'connect', 'sprockets', '--client', 'cursor')
    expect(connected).toMatchObject({ code: 0, stdout: expect.stringContaining('"mcpServers"') })
    if (inject('isLong')) await askAboutDocent(own)
    expect(await service.end('SIGTERM')).toBe(0)
  })

  test('names the version that it needs, and a command, to an older Node', async () => {
    const older = 'data:text/javascript,Object.defineProperty(process.versions, "node", { value: "20.20.2" })'
    const { code, stderr } = await runProgram('--import', [older, command, 'serve'], { cwd: folder, env })
    expect(code).toBe(1)
    expect(stderr).toBe(
      `docent: Docent needs Node 24.12 or newer, and this is 20.20.2. Install it, or run: npx --yes node@24 ${command} serve\n`,
    )
  })
})
