import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Docent, startDocent } from '../../../server/test/support/service/harness.ts'
// eslint-disable-next-line node/no-process-env -- the shells need the PATH of the test
const PATH = process.env['PATH'] ?? ''

/** How a person starts each shell, without the settings of this computer, and loads the completion. */
const SHELLS = [
  { name: 'bash', start: 'bash --norc -i', load: 'source <(docent completion bash)' },
  { name: 'zsh', start: 'zsh -f -i', load: 'autoload -U compinit; compinit -u -D; source <(docent completion zsh)' },
  { name: 'fish', start: 'fish --no-config -i', load: 'docent completion fish | source' },
]
/** `script` of util-linux gives the shell a terminal. */
const isThere = (program: string) => spawnSync(program, ['--version'], { timeout: 10_000 }).status === 0
const hasTerminal = process.platform === 'linux' && isThere('script')

describe('completion in a terminal', () => {
  let docent: Docent
  let folder = ''
  beforeAll(async () => {
    docent = await startDocent({ environment: { DOCENT_RATE_LIMITS: 'off' } })
    for (const name of ['Alpha', 'Beta']) await docent.request('POST', '/api/mcp/create', { name, uploads: ['manual'] })
    folder = mkdtempSync(join(tmpdir(), 'docent-shells-test-'))
    // Completes like the program. Records other commands instead of running them.
    const program = `#!/bin/sh
case "$1" in
  __complete | completion) exec '${process.execPath}' '${join(import.meta.dirname, '../main.ts')}' "$@" ;;
esac
printf '%s\\n' "$*" >> "$HOME/commands"
`
    writeFileSync(join(folder, 'docent'), program)
    chmodSync(join(folder, 'docent'), 0o755)
  })
  afterAll(async () => {
    await docent[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  for (const { name, start, load } of SHELLS) {
    test.skipIf(!hasTerminal || !isThere(name))(`completes what a person types in ${name}`, async () => {
      const home = mkdtempSync(join(folder, name))
      const commands = join(home, 'commands')
      const shell = spawn('script', ['-qfc', start, '/dev/null'], {
        env: {
          PATH: `${folder}${delimiter}${PATH}`,
          HOME: home,
          TERM: 'xterm',
          DOCENT_URL: docent.url,
          DOCENT_API_KEY: docent.key,
          DOCENT_CONFIG_DIR: home,
        },
        stdio: ['pipe', 'ignore', 'ignore'],
      })
      onTestFinished(() => void shell.kill())
      const ended = once(shell, 'exit')
      const type = async (line: string, lines: number) => {
        shell.stdin.write(`${line}\n`)
        for (;;) {
          const written = existsSync(commands) ? readFileSync(commands, 'utf8').trimEnd().split('\n') : []
          if (written.length >= lines) return written.at(-1)
          await sleep(50)
        }
      }
      await type(`${load}; docent loaded`, 1)
      expect(await type('docent whoa\t', 2)).toBe('whoami')
      expect(await type('docent servers get alp\t', 3)).toBe('servers get alpha')
      expect(await type('docent logs --err\t bet\t', 4)).toBe('logs --errors beta')
      expect(await type('docent webhooks create https://hooks.example.com/ server.f\t', 5)).toBe(
        'webhooks create https://hooks.example.com/ server.failed',
      )
      shell.stdin.end('exit\n')
      await ended
    })
  }
})
