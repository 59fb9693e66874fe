import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { operations } from '@docent/contract/operations'
import { loadSecrets } from '@docent/server/config.ts'
import { COMMANDS } from '../../scripts/launch/commands.mjs'
import { createProgram } from './program.ts'
import type { Terminal } from './terminal.ts'

const ROOT = join(import.meta.dirname, '../..')
const documents = [...globSync('docs/*.md', { cwd: ROOT }), 'README.md', 'CONTRIBUTING.md', 'SECURITY.md']

/** Documents whose examples another test runs or writes. */
const ELSEWHERE = new Map([
  ['docs/api.md', 'contract/reference/reference.test.ts'],
  ['docs/tools.md', 'server/test/mcp/tools-page.test.ts'],
  ['docs/account-endpoint.md', 'server/test/mcp/account/account-page.test.ts'],
  ['docs/client.md', 'server/test/api/client-examples.test.ts'],
])
/** Programs that the suite does not have or must not run. */
const NOT_RUN = new Map([
  ['docker', 'needs Docker'],
  ['cosign', 'needs a published release'],
  ['gh', 'needs a published release'],
  ['claude', 'a command of a client'],
  ['cd', 'changes the folder'],
  ['cat', 'reads a file of the reader'],
  ['echo', 'prints a variable'],
  ['export', 'sets variables; a command in it is checked'],
])
/** Blocks that are no commands, by language or by how their text begins. */
const NOT_CHECKED = new Map([
  ['nginx', 'needs nginx'],
  ['caddyfile', 'needs Caddy'],
  ['yaml', 'a configuration of Prometheus'],
  ['dockerfile', 'needs Docker'],
  ['html', 'needs the address of a service'],
  ['http', 'server/src/webhooks/document.test.ts checks the request'],
  ['js', 'server/src/webhooks/document.test.ts runs it'],
  ['--cap-drop', 'options of Docker'],
])

type Block = { at: string; language: string; text: string }

const blocks = documents
  .filter((path) => !ELSEWHERE.has(path))
  .flatMap((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8')
    return [...text.matchAll(/^( *)(`{3,})(\w*)\n([^]*?)^ *\2$/gm)].map((match): Block => {
      const [, , , language = '', body = ''] = match
      return { at: `${path}:${text.slice(0, match.index).split('\n').length}`, language, text: body.trim() }
    })
  })

test('finds the examples of the documents', () => {
  expect(blocks.length).toBeGreaterThan(50)
  expect(new Set(blocks.map(({ language }) => language)).size).toBeGreaterThan(5)
})

test.each(blocks.filter(isChecked))('$at ($language) fits the program', async ({ language, text }) => {
  if (language === 'json') return checkJson(text)
  expect(language).toBe('sh')
  const commands = readCommands(text)
  expect(commands.length).toBeGreaterThan(0)
  for (const words of commands) await checkCommand(words)
})

function isChecked({ language, text }: Block): boolean {
  return !NOT_CHECKED.has(language) && !NOT_CHECKED.has(text.split(' ')[0] ?? '')
}

/** The words of each command, also of those in `$(…)`. Comments and pairs of brackets for what can be left out go. */
function readCommands(text: string): string[][] {
  const lines = text.replaceAll(/\\\n\s*/g, ' ').split('\n')
  const inner = lines.flatMap((line) => [...line.matchAll(/\$\(([^()]+)\)/g)].map(([, command = '']) => command))
  return [...lines, ...inner]
    .map((line) => line.replace(/(?:^|\s)#\s.*/, '').replaceAll(/\[(--[^[\]]+)\]/g, '$1'))
    .map((line) => [...line.matchAll(/"[^"]*"|'[^']*'|\S+/g)].map(([word]) => word.replaceAll(/^["']|["']$/g, '')))
    .filter((words) => words.length > 0)
}

async function checkCommand(words: string[]): Promise<void> {
  const [program = '', ...args] = words
  if (NOT_RUN.has(program)) return
  if (program === 'curl') return checkRequest(args)
  if (program === 'docent') return await checkUsage(args)
  expect(program, words.join(' ')).toBe('npm')
  const [script = '', name = '', ...rest] = args.filter((word) => word !== '--silent' && word !== '--')
  if (['link', 'ci', 'install'].includes(script)) return
  const known = script === 'run' ? name : script
  expect([...COMMANDS.keys()]).toContain(known)
  if (known === 'docent') await checkUsage(rest)
}

/** Lets the program read the words, and does nothing with them. It refuses unknown commands, options and arguments. */
async function checkUsage(words: string[]): Promise<void> {
  const said: string[] = []
  const say = (text: string) => void said.push(text)
  const program = createProgram({ out: say, err: say } as unknown as Terminal, () => undefined)
  let ran = 0
  const disarm = (command: Command): void => {
    if (command.commands.length === 0) command.action(() => void ran++)
    command.commands.forEach(disarm)
  }
  disarm(program)
  await program.parseAsync(words, { from: 'user' }).catch((error: unknown) => say(String(error)))
  expect(said.join(''), words.join(' ')).toBe('')
  expect(ran).toBe(1)
}

/** Finds the operation of a request, and reads its input by the contract. */
function checkRequest(args: string[]): void {
  const address = args.find((word) => /^(?:https?:|\$DOCENT_URL)/.test(word)) ?? ''
  const { pathname, searchParams } = new URL(address.replace('$DOCENT_URL', 'http://docent.example'))
  if (pathname === '/healthz') return
  const option = (name: string) => args[args.indexOf(name) + 1] ?? ''
  const body = args.includes('-d') ? (JSON.parse(option('-d')) as object) : null
  const method = args.includes('-X') ? option('-X') : body ? 'POST' : 'GET'
  const found = Object.values(operations).flatMap((operation) =>
    [operation, ...('aliases' in operation ? operation.aliases : [])].flatMap((route) => {
      const pattern = new RegExp(`^${route.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
      const match = route.method === method ? pattern.exec(pathname) : null
      return match ? [{ operation, names: { ...match.groups }, isExact: route.path === pathname }] : []
    }),
  )
  const { operation, names = {} } = found.find(({ isExact }) => isExact) ?? found[0] ?? {}
  expect(operation, `${method} ${pathname}`).toBeDefined()
  const input = { ...names, ...Object.fromEntries(searchParams), ...body }
  const filled = JSON.parse(JSON.stringify(input).replaceAll('srv_…', 'srv_Gu2XkR4mTq8ZbNw6VcLs1P')) as unknown
  expect(operation?.input.safeParse(filled).error?.issues ?? []).toEqual([])
}

/** Reads configurations of clients, identity providers, and lines of a stream. */
function checkJson(text: string): void {
  const [first, ...lines] = text.startsWith('{"type"')
    ? text.split('\n').map((line) => JSON.parse(line) as unknown)
    : []
  if (first !== undefined) return expect(lines.length).toBeGreaterThan(0)
  const value = JSON.parse(text) as { mcpServers?: Record<string, { url?: string; command?: string; args?: string[] }> }
  if (Array.isArray(value)) {
    const { signInProviders } = loadSecrets({ DOCENT_SIGN_IN_PROVIDERS: text })
    expect(signInProviders).toHaveLength(value.length)
    return
  }
  for (const { url, command, args = [] } of Object.values(value.mcpServers ?? {}))
    expect(url ?? [command, ...args].join(' ')).toMatch(/^https?:|^docent bridge https?:/)
  expect(Object.keys(value.mcpServers ?? {})).not.toEqual([])
}

test('refuses an option, an argument, an address and a field that do not exist', async () => {
  await expect(checkUsage(['servers', 'list', '--none'])).rejects.toThrow('--none')
  await expect(checkUsage(['ask'])).rejects.toThrow('missing required argument')
  await expect(checkCommand(['none'])).rejects.toThrow('none')
  expect(() => checkRequest(['$DOCENT_URL/api/none'])).toThrow('/api/none')
  expect(() => checkRequest(['$DOCENT_URL/api/webhooks', '-d', '{"url":"https://hooks.example.com/"}'])).toThrow()
})

test('leaves out only documents and languages that exist', () => {
  expect([...ELSEWHERE.keys()].filter((path) => !documents.includes(path))).toEqual([])
  const seen = blocks.map(({ language, text }) => [language, text.split(/\s/)[0]]).flat()
  expect([...NOT_CHECKED.keys()].filter((name) => !seen.includes(name))).toEqual([])
  const programs = blocks.flatMap(({ text }) => readCommands(text).map(([program]) => program))
  expect([...NOT_RUN.keys()].filter((name) => name !== 'claude' && !programs.includes(name))).toEqual([])
})
