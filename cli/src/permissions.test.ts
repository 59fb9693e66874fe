import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { spawnCli } from './spawn-cli.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docent-permissions-test-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)
const modes = (path: string) => Object.fromEntries(readdirSync(path).map((name) => [name, mode(join(path, name))]))
const data = () => join(folder, 'data')

async function serve(level = 'warn') {
  const env = {
    DOCENT_DATA_DIR: data(),
    DOCENT_PORT: '0',
    DOCENT_LOG_LEVEL: level,
    DOCENT_BROWSER: 'off',
    DOCENT_DASHBOARD: 'off',
  }
  const service = spawnCli(['serve'], { env })
  await service.until(/ready on (\S+)\n/)
  return {
    service,
    async [Symbol.asyncDispose]() {
      service.child.kill('SIGTERM')
      await service.ended
    },
  }
}

const PRIVATE = {
  'docent.lock': '600',
  'docent.pid': '600',
  'docent.sqlite': '600',
  'docent.sqlite-shm': '600',
  'docent.sqlite-wal': '600',
  'secret.key': '600',
}

describe.skipIf(process.platform === 'win32')('data folder of the service', () => {
  test('is readable only by the user, also after others had access, and other files stay as they are', async () => {
    const first = await serve()
    expect(mode(data())).toBe('700')
    expect(modes(data())).toEqual(PRIVATE)
    await first[Symbol.asyncDispose]()
    for (const name of readdirSync(data())) chmodSync(join(data(), name), 0o664)
    writeFileSync(join(data(), 'notes.txt'), 'of somebody else')
    chmodSync(join(data(), 'notes.txt'), 0o644)
    chmodSync(data(), 0o755)
    await using running = await serve()
    expect(modes(data())).toEqual({ ...PRIVATE, 'notes.txt': '644' })
    expect(running.service.stderr).toBe('')
  })

  test('has the same modes if an operator’s command creates the database', async () => {
    const env = { DOCENT_DATA_DIR: data() }
    const args = ['admin', 'create', '--email', 'ada@example.test', '--password-stdin']
    expect(await spawnCli(args, { env, input: 'correct horse' }).ended).toBe(0)
    expect(mode(data())).toBe('700')
    expect(modes(data())).toMatchObject({ 'docent.sqlite': '600' })
  })

  test('is reported if others can write to it, and the target of a symbolic link keeps its mode', async () => {
    mkdirSync(data())
    chmodSync(data(), 0o777)
    const elsewhere = join(folder, 'elsewhere')
    writeFileSync(elsewhere, '')
    chmodSync(elsewhere, 0o644)
    symlinkSync(elsewhere, join(data(), 'docent.pid'))
    await using running = await serve()
    expect(running.service.stderr).toContain('Other users can write to the data folder')
    expect([mode(data()), mode(elsewhere)]).toEqual(['777', '644'])
  })
})
