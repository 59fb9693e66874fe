import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser } from '../support/lib/widget-page.ts'
import { hasTestPackages, INSPECTOR, TEST_PACKAGES } from '../support/mcp/test-packages.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { oauthWorld } from '../support/service/oauth-client.ts'
import { PASSWORD } from '../support/service/sign-in.ts'

const isInstalled = hasTestPackages('signing in from programs of other projects')

/** A command of a client, with the address of the server. */
type Command = (url: string, folder: string) => Promise<[program: string, ...args: string[]]>

type Client = {
  /** Its package in the folder of large packages, or in that of `DOCENT_TEST_CLIENTS`, which is far larger. */
  program: string
  /** The commands that a person types. The last one shows that the client is connected. */
  commands: Command[]
  shows: RegExp
  /** Typed when it waits for a person. */
  typed?: { at: RegExp; text: string }
}

const FOLDERS = [join(TEST_PACKAGES, 'node_modules'), process.env['DOCENT_TEST_CLIENTS'] ?? '']
const find = (program: string) =>
  FOLDERS.map((folder) => join(folder, program)).find((path) => existsSync(path)) ?? null
const node = process.execPath

const claude = () => find('@anthropic-ai/claude-code-linux-x64/claude') ?? ''
const codex = () => find('@openai/codex/bin/codex.js') ?? ''
const opencode = () => find('opencode-linux-x64/bin/opencode') ?? ''

const CLIENTS: Record<string, Client> = {
  'mcp-remote': {
    program: 'mcp-remote/dist/client.js',
    commands: [async (url) => [node, find('mcp-remote/dist/client.js') ?? '', url]],
    shows: /search_docs/,
  },
  'MCP Inspector': {
    program: '@modelcontextprotocol/inspector/package.json',
    // Of these clients, the only one that calls a tool without a model.
    commands: [
      async (url) => [
        node,
        INSPECTOR,
        '--cli',
        '--transport',
        'http',
        '--server-url',
        url,
        '--method',
        'tools/call',
        '--tool-name',
        'search_docs',
        '--tool-arg',
        'query=sprockets',
      ],
    ],
    shows: /"content":/,
  },
  'Claude Code': {
    program: '@anthropic-ai/claude-code-linux-x64/claude',
    commands: [
      async (url) => [claude(), 'mcp', 'add', '--transport', 'http', 'docs', url],
      // It signs in from a terminal only.
      async () => ['script', '-qec', `${claude()} mcp login docs`, '/dev/null'],
      async () => [claude(), 'mcp', 'get', 'docs'],
    ],
    shows: /Connected/,
  },
  Codex: {
    program: '@openai/codex/bin/codex.js',
    commands: [
      async (url) => [node, codex(), 'mcp', 'add', 'docs', '--url', url],
      async () => [node, codex(), 'mcp', 'list', '--json'],
    ],
    shows: /"o_?auth"/i,
  },
  'Gemini CLI': {
    program: '@google/gemini-cli/package.json',
    commands: [
      async (url, folder) => {
        await mkdir(join(folder, '.gemini'))
        const security = { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } }
        const settings = { security, mcpServers: { docs: { httpUrl: url } } }
        await writeFile(join(folder, '.gemini/settings.json'), JSON.stringify(settings))
        return ['script', '-qec', `stty cols 120 rows 40; ${find('.bin/gemini') ?? ''}`, '/dev/null']
      },
    ],
    typed: { at: /Type your message/, text: '/mcp auth docs' },
    shows: /authenticated and reloaded tools/,
  },
  opencode: {
    program: 'opencode-linux-x64/bin/opencode',
    commands: [
      async (url, folder) => {
        const config = { mcp: { docs: { type: 'remote', url } } }
        await writeFile(join(folder, 'opencode.json'), JSON.stringify(config))
        return [opencode(), 'mcp', 'auth', 'docs']
      },
      async () => [opencode(), 'mcp', 'list'],
    ],
    shows: /docs.{0,20}connected/,
  },
}

/** A home for a client. Some write into it for a moment after their end. */
async function makeFolder() {
  const path = await mkdtemp(join(tmpdir(), 'docent-client-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 20 }) }
}

/** A program in the place of the browser: it writes down the address that it should open. */
const OPENER = `#!/bin/sh\nprintf '%s\\n' "$1" >> "$OPENED"\n`

describe.skipIf(!isInstalled)('a person signs in from', () => {
  let docent: Docent
  let browser: Browser | null
  const world = oauthWorld(() => docent)
  beforeAll(async () => {
    // The makers of some clients describe them on the internet, which tests do not use.
    const environment = { DOCENT_RATE_LIMITS: 'off', DOCENT_OAUTH_DOCUMENTS: 'off' }
    docent = await startDocent({ environment })
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await docent[Symbol.asyncDispose]()
  })

  /** Types as a person does: at once, it would be taken for pasted text. */
  async function type(child: ChildProcess, text: string): Promise<void> {
    for (const key of [...text, '\r', '\r']) {
      child.stdin?.write(key)
      await sleep(key === '\r' ? 1_000 : 100)
    }
  }

  /** Signs in and allows, as a person does, and returns the number of clicks. */
  async function allow(address: string, email: string): Promise<number> {
    const page = await (browser as Browser).newPage()
    await page.goto(address)
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.waitForLoadState()
    await page.close()
    return 2
  }

  for (const [name, { program, commands, shows, typed }] of Object.entries(CLIENTS)) {
    const isThere = find(program) !== null
    if (isInstalled && !isThere) process.stderr.write(`\nSKIPPED: ${name} is not in DOCENT_TEST_CLIENTS.\n\n`)
    test.skipIf(!isThere)(
      name,
      async () => {
        const own = await world.person(name.toLowerCase().replaceAll(' ', '-'))
        await using folder = await makeFolder()
        const [bin, opened] = [join(folder.path, 'bin'), join(folder.path, 'opened')]
        await mkdir(bin)
        await writeFile(opened, '')
        for (const opener of ['xdg-open', 'open', 'www-browser']) {
          await writeFile(join(bin, opener), OPENER)
          await chmod(join(bin, opener), 0o755)
        }
        const env = {
          HOME: folder.path,
          PATH: bin + delimiter + (process.env['PATH'] ?? ''),
          BROWSER: join(bin, 'xdg-open'),
          DISPLAY: ':99',
          OPENED: opened,
          MCP_AUTO_OPEN_ENABLED: 'true',
          DISABLE_TELEMETRY: '1',
          GEMINI_API_KEY: 'none',
        }
        const begun = performance.now()
        const allowed = new Set<string>()
        let [clicks, output, isTyped] = [0, '', false]
        for (const command of commands) {
          output = ''
          const [file, ...args] = await command(world.resource(own.slug), folder.path)
          const child: ChildProcess = spawn(file, args, { cwd: folder.path, env, stdio: ['pipe', 'pipe', 'pipe'] })
          for (const stream of [child.stdout, child.stderr])
            stream?.setEncoding('utf8').on('data', (text: string) => (output += text))
          try {
            while (child.exitCode === null && child.signalCode === null && !shows.test(output)) {
              await sleep(100)
              if (typed && !isTyped && typed.at.test(output)) {
                isTyped = true
                await type(child, typed.text)
              }
              // Some open a browser, others print the address too.
              const told = `${await readFile(opened, 'utf8')}\n${output}`
              const address = /https?:[^\s\u0007\u001b"]+\/oauth\/authorize\?[^\s\u0007\u001b"]+/.exec(told)?.[0]
              if (address === undefined || allowed.has(address)) continue
              allowed.add(address)
              clicks += await allow(address, own.email)
            }
          } finally {
            child.kill()
          }
        }
        expect(output).toMatch(shows)
        expect(clicks).toBeLessThanOrEqual(3)
        const { body } = await docent.request('GET', '/api/connections', undefined, { key: own.key })
        expect(body.connections).toHaveLength(1)
        process.stderr.write(
          `\n${name}: ${((performance.now() - begun) / 1000).toFixed(1)} s, ${clicks} clicks, ${JSON.stringify(body.connections[0].clientName ?? body.connections[0])}\n`,
        )
      },
      120_000,
    )
  }
})
