import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Docent, startDocent } from '../../../server/test/support/service/harness.ts'
import { runCli } from '../run-cli.ts'
import { SHELLS } from './shell-scripts.ts'

let docent: Docent
let folder = ''
beforeAll(async () => {
  docent = await startDocent({ environment: { DOCENT_RATE_LIMITS: 'off' } })
  for (const name of ['Alpha', 'Alps', 'Beta']) {
    await docent.request('POST', '/api/mcp/create', { name, uploads: ['manual'] })
  }
  folder = mkdtempSync(join(tmpdir(), 'docent-completion-test-'))
})
afterAll(async () => {
  await docent[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

async function run(args: string[], env: Record<string, string> = {}) {
  const running = runCli(args, { env: { DOCENT_URL: docent.url, DOCENT_API_KEY: docent.key, ...env } })
  const code = await running.ended
  return { code, stdout: running.stdout, stderr: running.stderr }
}

/** The words that can come next, without their meanings. */
async function next(...words: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await run(['__complete', '--', ...words])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout.split('\n').flatMap((line) => line.split('\t')[0] || [])
}

describe('completion', () => {
  test('offers commands, but not those for scripts', async () => {
    const all = await next('')
    expect(all).toEqual(expect.arrayContaining(['servers', 'login', 'connect', 'completion']))
    expect(all).not.toContain('__complete')
    expect(await next('serv')).toEqual(['serve', 'servers'])
    expect(await next('rules', '')).toEqual(['list', 'add', 'preview', 'change', 'remove'])
  })

  test('offers options and their values', async () => {
    expect(await next('servers', 'create', 'x', '--w')).toEqual(['--watch'])
    expect(await next('connect', 'alpha', '--client', 'c')).toEqual([
      'claude-code',
      'cursor',
      'codex',
      'cline',
      'copilot-cli',
      'claude',
      'chatgpt',
    ])
    expect(await next('completion', '')).toEqual(SHELLS)
    expect(await next('servers', 'create', '--description', '')).toEqual([])
  })

  test('offers the servers of the account', async () => {
    expect((await next('servers', 'get', 'al')).toSorted()).toEqual(['alpha', 'alps'])
    expect(await next('sources', 'upload', '--server', 'b')).toEqual(['beta'])
    expect((await next('logs', '--errors', '')).toSorted()).toEqual(['alpha', 'alps', 'beta'])
    expect(await next('logs', 'alpha', '')).toEqual([])
    expect(await next('servers', 'create', '')).toEqual([])
  })

  test('offers events, webhooks and open requests', async () => {
    expect(await next('webhooks', 'create', 'https://hooks.example.com/', 'server.')).toEqual([
      'server.indexed',
      'server.failed',
    ])
    const hook = { url: 'http://127.0.0.1:19151/', events: ['server.failed'] }
    const { id } = (await docent.request('POST', '/api/webhooks', hook)).body
    expect(await next('webhooks', 'rotate', '')).toEqual([id])
    const key = await docent.makeKey('buyer@example.test')
    const wanted = (await docent.request('POST', '/api/billing/purchases/plan', { plan: 'core' }, { key })).body
    expect(await next('purchases', 'grant', 'pur_')).toEqual([wanted.id])
    expect(await next('purchases', 'withdraw', '')).toEqual([])
    const own = await run(['__complete', '--', 'purchases', 'withdraw', ''], { DOCENT_API_KEY: key })
    expect(own.stdout).toBe(`${wanted.id}\tthe plan core\n`)
  })

  test('offers nothing without a sign-in or a service', async () => {
    for (const env of [{ DOCENT_API_KEY: '' }, { DOCENT_URL: 'http://127.0.0.1:1' }, { DOCENT_URL: 'none' }]) {
      expect(await run(['__complete', '--', 'logs', ''], env)).toEqual({ code: 0, stdout: '', stderr: '' })
    }
  })

  test('writes a script for each shell', async () => {
    for (const shell of SHELLS) {
      const { code, stdout } = await run(['completion', shell])
      expect(code).toBe(0)
      expect(stdout).toContain('docent __complete -- ')
    }
    expect(await run(['completion', 'csh'])).toMatchObject({ code: 2, stdout: '' })
  })

  test('works in bash', async () => {
    const program = join(folder, 'docent')
    writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${join(import.meta.dirname, '../main.ts')}' "$@"\n`)
    chmodSync(program, 0o755)
    const { stdout: script } = await run(['completion', 'bash'])
    const typed = `${script}
COMP_WORDS=(docent servers get al); COMP_CWORD=3; _docent; printf '%s ' "\${COMPREPLY[@]}"
COMP_WORDS=(docent servers get ''); COMP_CWORD=3; _docent; printf '%s ' "\${#COMPREPLY[@]}"
complete -p docent`
    const env = {
      // eslint-disable-next-line node/no-process-env -- bash needs the PATH of the test
      PATH: `${folder}${delimiter}${process.env['PATH']}`,
      DOCENT_URL: docent.url,
      DOCENT_API_KEY: docent.key,
      DOCENT_CONFIG_DIR: folder,
    }
    const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', typed], { env })
    expect(stdout).toMatch(/^(?:alpha alps|alps alpha) 3 complete -o default -F _docent docent\n$/)
  })
})
