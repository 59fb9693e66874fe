import { chmodSync, cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { runCommand } from '../../server/test/support/lib/run-program.ts'
import { CLI, type ServiceProcess, spawnService } from '../../server/test/support/service/service-process.ts'

const ROOT = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'docent examples-'))
const inside = (name: string) => join(folder, name)

/** What a reader leaves out: the service runs already, and no client, browser, terminal or Docker is here. */
const LEFT_OUT =
  /^ *(?:npm (?:start|link|test|run (?:bench|eval|test:long|verify))\b|docker|claude|docent (?:login|backup restore|database compact|setup-link))\b|^ *--cap-drop/

/** What a reader puts in place of an example's names. */
const NAMES: readonly (readonly [name: RegExp, own: string])[] = [
  [/npm run (?:--silent )?docent --/g, 'docent'],
  [/http:\/\/127\.0\.0\.1:8787/g, '$DOCENT_URL'],
  [/(docent admin (?:create|password) --email \S+)/g, 'echo "a long password" | $1 --password-stdin'],
  [/(connect .* --write)/g, '$1 --yes'],
  [/acme-mailer/g, 'my-docs'],
  [/https:\/\/mailer\.example\.com\/\S+#schedule/g, 'upload://docs/deployment.md#upgrade'],
  [/the guide over blog posts/g, 'the deployment page over the releases page'],
  [/--to PLACE/g, '--to folder'],
]

/** The other pages with commands, and what these print. */
const PAGES: [path: string, shown: string[]][] = [
  ['docs/custom-tools.md', ['"stage":"validating"', '"status":"ready"']],
  ['docs/rules.md', ['"understood"']],
  ['docs/pins.md', ['pin_']],
  ['docs/members.md', ['/invite#', 'dk_live_', 'members.invite', '"audit.export"']],
  ['docs/webhooks.md', ['whsec_']],
  ['docs/server-files.md', ['my-docs']],
  ['docs/commands.md', ['dk_live_', 'ok ', '.tar', 'verified', 'The schema has version']],
]
/** Pages whose commands need more than a new instance, or are written and run by the tests that `documented-examples.test.ts` names. */
const NOT_RUN = [
  'docs/account-endpoint.md',
  'docs/api.md',
  'docs/tools.md',
  'docs/command-line.md',
  'docs/deployment.md',
  'docs/releases.md',
  'docs/settings.md',
  'CONTRIBUTING.md',
]

/**
 * The commands of the documents, run one after another by a reader with a new instance and an empty home. What each page
 * shows or promises must be in what its commands print. `npm run test:long` only: it starts some fifty programs.
 */
describe.runIf(inject('isLong'))('the commands of the documents', () => {
  let service: ServiceProcess
  let server = ''
  const env: NodeJS.ProcessEnv = {
    // eslint-disable-next-line node/no-process-env -- the programs of a shell are found
    PATH: [inside('bin'), dirname(process.execPath), process.env['PATH']].join(':'),
    HOME: inside('home'),
    DOCENT_DATA_DIR: inside('data'),
  }
  beforeAll(async () => {
    for (const name of ['bin', 'home', 'data']) mkdirSync(inside(name))
    writeFileSync(inside('bin/docent'), `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`)
    chmodSync(inside('bin/docent'), 0o755)
    service = await spawnService({ HOME: inside('home'), DOCENT_DATA_DIR: inside('data'), DOCENT_LOG_LEVEL: 'error' })
    env['DOCENT_URL'] = service.url
    // Commands write files beside the documents.
    for (const name of ['docs', 'README.md']) cpSync(join(ROOT, name), inside(join('copy', name)), { recursive: true })
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Runs the commands of a page's blocks in one shell, as far as the first that fails. */
  const run = async (path: string) =>
    await shell(
      commandsOf(path)
        .replaceAll('you@', `${basename(path, '.md')}@`)
        .replaceAll(/srv_(?:…|Gu\w+)/g, server),
    )
  async function shell(commands: string): Promise<string> {
    const { code, stdout } = await runCommand(
      'bash',
      ['-euc', `exec 2>&1\ncurl() { command curl -sS "$@"; }\n${commands}`],
      { cwd: inside('copy'), env },
    )
    expect(code, stdout).toBe(0)
    return stdout
  }

  test('first-answer.md leads to an answer, a question without one, and a pin that mends it', async () => {
    const said = await run('docs/first-answer.md')
    const steps = ['Ready', 'claude mcp add', '## Reverse proxy', 'Confidence: high', 'The sources do not answer this']
    expect(said).toMatch(inOrder([...steps, 'Confidence: none', '#upgrade', 'After:', 'pin_', '## Upgrade']))
  })

  test('README.md leads to an answer', async () => {
    expect(await run('README.md')).toMatch(inOrder(['my-docs', 'Confidence: high']))
  })

  test('a key of the account serves the other pages, and a second sign-in', async () => {
    env['DOCENT_API_KEY'] = (await shell('docent admin key --email README@example.org --name examples')).trim()
    const made = await shell('docent login "$DOCENT_URL" --key-stdin --profile other <<<"$DOCENT_API_KEY"')
    server = /srv_\w+/.exec(await shell('docent servers list --json'))?.[0] ?? ''
    expect(made).toContain('other')
  })

  test.each(PAGES)('%s', async (path, shown) => {
    expect(await run(path)).toMatch(inOrder(shown))
  })
})

/** The shell's text of a page: its blocks of commands, with a reader's own names. */
function commandsOf(path: string): string {
  const text = readFileSync(join(ROOT, path), 'utf8')
  const blocks = [...text.matchAll(/^( *)```sh\n([^]*?)^ *```$/gm)].map(([, indent = '', body = '']) =>
    body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  )
  const lines = blocks
    .join('')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
  const own = lines.filter((line) => !LEFT_OUT.test(line)).join('\n')
  return NAMES.reduce((commands, [name, replacement]) => commands.replaceAll(name, replacement), own)
}

const inOrder = (parts: readonly string[]) => new RegExp(parts.map((part) => RegExp.escape(part)).join('[^]*'))

test('names each page that has commands', () => {
  const pages = [...globSync('docs/*.md', { cwd: ROOT }), 'README.md', 'CONTRIBUTING.md', 'SECURITY.md']
  const named = ['docs/first-answer.md', 'README.md', ...PAGES.map(([path]) => path), ...NOT_RUN]
  expect(pages.filter((path) => /^ *```sh$/m.test(readFileSync(join(ROOT, path), 'utf8'))).sort()).toEqual(named.sort())
})
