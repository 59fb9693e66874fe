import { mkdtempDisposable, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Docent, startDocent } from '../../../server/test/support/service/harness.ts'
import { disposeAll } from '../../../server/test/support/lib/keep-open.ts'
import { page, type Site, startSite } from '../../../server/test/support/sites/site.ts'
import { runCli } from '../run-cli.ts'

let site: Site
let docent: Docent
beforeAll(async () => {
  site = await startSite({
    '/': page('Widgets', 'Oil every sprocket twice a year.'),
    '/blog/': page('Blog', 'Our sprockets are new.'),
  })
  docent = await startDocent({ environment: { DOCENT_RATE_LIMITS: 'off' } })
})
afterAll(() => disposeAll(docent, site))

/** `answer`: what is typed at a terminal; without one, there is no terminal. */
async function run(args: string[], env: Record<string, string> = {}, answer?: string) {
  const running = runCli(args, {
    env: { DOCENT_URL: docent.url, DOCENT_API_KEY: docent.key, ...env },
    ...(answer === undefined ? {} : { input: `${answer}\n`, isTerminal: true }),
  })
  const code = await running.ended
  return { code, stdout: running.stdout, stderr: running.stderr }
}

/** Runs a command that has to succeed and writes to standard output only. */
async function out(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(args)
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' })
  return stdout
}

const json = async (...args: string[]) => JSON.parse(await out(...args, '--json'))

describe('commands on a running service', () => {
  test('asks for the credential of a site, and names the sources that are not read with it', async () => {
    await out('servers', 'create', 'Handbook', `${site.url}/blog/`)
    const set = (...options: string[]) =>
      run(['site-access', 'set', site.url, ...options], {}, 'session=planted-012345')
    expect(await set()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('one of --user, --header and --cookie'),
    })
    const saved = await set('--cookie')
    expect(saved).toMatchObject({ code: 0, stdout: expect.stringMatching(/^sit_\w+ {2}http/) })
    expect(saved.stderr).toMatch(/of handbook is not read with it\. Remove the source src_\w+ and add it again/)
    expect((await set('--header', 'X-Key')).stdout).toBe(saved.stdout)
    expect((await set('--user', 'ada')).stdout).toBe(saved.stdout)
    expect(await out('site-access', 'list')).toMatch(/\nsit_\w+ +http\S+ +basic +never +0 of 1\n$/)
    const [id = ''] = saved.stdout.split(' ')
    expect(await out('site-access', 'remove', id, '--yes')).toBe('Removed. Sources whose content is deleted: 0.\n')
    await out('servers', 'delete', 'handbook', '--yes')
  })

  // The test starts 19 processes, one after the other.
  test('makes, shows, changes and deletes a server', async () => {
    const made = await out('servers', 'create', 'Widgets', `${site.url}/`)
    expect(made).toBe(`server    widgets\nendpoint  ${docent.url}/api/mcp/widgets\n`)
    await docent.untilDone('widgets')
    expect(await out('servers', 'get', 'widgets')).toMatch(
      /^widgets {2}Widgets\nactive, public, http[^]+complete, 1 page\n$/,
    )
    expect((await json('servers', 'get', 'widgets')).sources).toHaveLength(1)
    const added = await json('sources', 'add', 'widgets', `${site.url}/blog/`, '--label', 'Blog', '--type', 'docs')
    expect(added).toMatchObject({ label: 'Blog', type: 'docs' })
    expect(await out('sources', 'list', 'widgets')).toMatch(
      /^source +type +address +status +pages +failed +read +not fetched +next\nsrc_\S+ +\w+ +\S+ +complete +1 +0 +\d{4}-\S+Z +\d{4}-\S+Z\n/,
    )
    expect(await out('sources', 'exclude', 'widgets', added.id, '/blog/old', '*.pdf$')).toBe(
      'Left out: /blog/old *.pdf$\n',
    )
    await docent.untilDone('widgets')
    expect(await out('servers', 'crawl', 'widgets', '--source', added.id)).toBe('1 source is queued.\n')
    expect(await out('sources', 'remove', 'widgets', added.id, '--yes')).toBe('The source is removed.\n')
    expect(await out('tools', 'change', 'widgets', '--add', 'get_changelog', '--remove', 'get_quickstart')).toContain(
      'get_changelog',
    )
    expect(await out('tools', 'list', 'widgets')).toMatch(/get_changelog +yes[^]*/)
    const built = await run(['tools', 'build', 'widgets', 'Answer questions about sprockets and bathyscaphes.'])
    expect(built.stderr).toContain('Understood: Answers the given question.')
    expect(built.stdout).toMatch(/Answers the given question\.[^]*left out: bathyscaphes\nAdd it with: /)
    const unbuilt = await run(['tools', 'build', 'widgets', 'Answer questions, only from the newsletter.'])
    expect([unbuilt.code, unbuilt.stderr]).toEqual([1, expect.stringContaining('matches “newsletter”')])
    await docent.callTool('widgets', 'search_docs', { query: 'sprocket' })
    expect(await out('servers', 'stats', 'widgets')).toMatch(
      /^1 call, 0 failed, \d+ ms on average\nsearch_docs {2}1 call,/,
    )
    expect(await out('servers', 'logs', 'widgets', '--tool', 'search_docs', '--page', '1')).toContain(
      '{"query":"sprocket"}',
    )
    expect((await json('servers', 'logs', 'widgets', '--errors')).total).toBe(0)
    expect((await json('servers', 'logs', 'widgets', '--outcome', 'none')).total).toBe(0)
    expect(await out('servers', 'logs', 'widgets', '--outcome', 'answered')).toMatch(
      /^time +tool +outcome .*\n.* answered /,
    )
    const refused = await run(['servers', 'delete', 'widgets'])
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('Say so with --yes.') })
    expect(await out('servers', 'delete', 'widgets', '--yes')).toContain('It can be restored until')
    expect(await out('servers', 'restore', 'widgets')).toContain('widgets')
  })

  test('reports that a server has no calls', async () => {
    const { serverId } = await json('servers', 'create', 'Quiet', `${site.url}/`)
    const lists = [
      ['logs', serverId],
      ['stats', serverId, '--by', 'configuration'],
      ['servers', 'unanswered', serverId],
    ]
    const shown = await Promise.all(lists.map((args) => run(args)))
    const none = (stderr: string) => ({ code: 0, stdout: '', stderr })
    expect(shown).toEqual([
      none('There are no such calls.\n'),
      none('There are no such calls.\n'),
      none('There are no such questions.\n'),
    ])
  })

  test('manages tokens, keys and rules', async () => {
    const made = await json('servers', 'create', 'Private', `${site.url}/`, '--private')
    expect(made.accessToken).toMatch(/^dat_/)
    expect(await out('tokens', 'create', made.slug, 'laptop')).toMatch(/^dat_\w+\n$/)
    const { tokens } = await json('tokens', 'list', made.slug)
    expect(tokens).toHaveLength(2)
    await out('tokens', 'revoke', made.slug, tokens[1].id, '--yes')
    expect(await out('tokens', 'list', made.slug)).toContain('never used')
    const key = (await out('keys', 'create', 'scoped', '--servers', made.serverId)).trim()
    const scoped = await run(['servers', 'list'], { DOCENT_API_KEY: key })
    expect(scoped.stdout).toContain('private')
    const { keys } = await json('keys', 'list')
    await out('keys', 'revoke', keys.find(({ name }: any) => name === 'scoped').id, '--yes')
    expect((await run(['servers', 'list'], { DOCENT_API_KEY: key })).code).toBe(3)
    const added = await out('rules', 'add', made.slug, 'When a question names a widget, also search for gadgets.')
    const rule = added.split('\n')[0] ?? ''
    expect(await out('rules', 'change', rule, '--off', '--priority', '5')).toBe('off, priority 5\n')
    expect(await out('rules', 'list', made.slug)).toMatch(/^rule +state +priority +text\nrule_\w+ +off +5 +\w/)
    await out('rules', 'remove', rule, '--yes')
  })

  test('shows what a rule is understood as before it is saved', async () => {
    const made = await json('servers', 'create', 'Understood', `${site.url}/`)
    await docent.untilDone(made.slug)
    const sentence = 'Prefer Python examples, drop old pages, and never cite your sources.'
    const understood = [
      'Ranks passages with python code higher.',
      'Ranks pages higher the newer they are: half of the preference is left at 365 days.',
      '“drop old pages” asks for more: by age, version or code, a rule ranks pages and leaves none out.',
      'left out: never cite your sources',
    ].join('\n')
    const tried = 'Of the last 0 different calls, 0 would find something else.'
    expect(await out('rules', 'preview', made.slug, sentence)).toBe(`${understood}\n${tried}\n`)
    const declined = await run(['rules', 'add', made.slug, sentence], {}, 'n')
    expect(declined).toMatchObject({ code: 130, stdout: '', stderr: expect.stringContaining('Nothing was saved.') })
    // Control characters of the prompt are between them.
    expect(declined.stderr.split(`${understood}\n`)[1]).toContain('This saves the rule.')
    expect((await json('rules', 'list', made.slug)).rules).toEqual([])
    const accepted = await run(['rules', 'add', made.slug, sentence], {}, 'y')
    expect(accepted).toMatchObject({ code: 0, stdout: expect.stringContaining(`\n${understood}\n`) })
    const refused = await run(['rules', 'preview', made.slug, 'Prefer the Sprocket Handbook over the rest.'])
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('This server has no source and no page called “Sprocket Handbook”.')
  })

  test('pins a section to a question', async () => {
    await out('servers', 'create', 'Pins', `${site.url}/`)
    await docent.untilDone('pins')
    expect(await out('pins', 'find', 'pins', 'oil', 'a', 'sprocket')).toMatch(/^section +address\nWidgets +http/)
    expect((await run(['pins', 'find', 'pins', 'zeppelin'])).stderr).toContain('Nothing in the sources has a word')
    const given = ['pins', `${site.url}/`, 'how', 'do', 'I', 'oil', 'it']
    expect(await out('pins', 'preview', ...given)).toMatch(/\n\nBefore:\n[^]*\n\nAfter:\n[^]*\n\n0 logged calls would/)
    const [pin = ''] = (await out('pins', 'add', ...given)).split('\n')
    expect(await out('pins', 'list', 'pins')).toMatch(
      /^pin +effect +section +questions\npin_\w+ +first +.*how do I oil it\n$/,
    )
    const [never = ''] = (await out('pins', 'add', ...given, '--never')).split('\n')
    expect((await json('pins', 'list', 'pins')).pins).toMatchObject([{ effect: 'first' }, { effect: 'never' }])
    for (const id of [pin, never]) await out('pins', 'remove', 'pins', id, '--yes')
    expect((await json('pins', 'list', 'pins')).pins).toEqual([])
    const rule = ['Show at most 1 result per source.', '--question', 'How do I oil a sprocket?']
    expect(await out('rules', 'preview', 'pins', ...rule)).toContain('\n\nThe answer does not change:\n')
  })

  test('takes a server with its custom tool along in a file', async () => {
    await out('servers', 'create', 'Taken', `${site.url}/`)
    await docent.untilDone('taken')
    const built = await run(['tools', 'build', 'taken', 'Answer questions about sprockets.', '--json'])
    const { id, name } = JSON.parse(built.stdout)
    await out('tools', 'change', 'taken', '--add', `custom:${id}`)
    await using folder = await mkdtempDisposable(join(tmpdir(), 'docent-server-file-'))
    const path = join(folder.path, 'taken.docent.gz')
    expect(await out('servers', 'export', 'taken', path)).toBe(`${path}\n`)
    expect((await run(['servers', 'export', 'taken', path])).code).toBe(1)
    expect((await run(['servers', 'export', 'nobody', join(folder.path, 'none')])).code).toBe(7)
    expect(await readdir(folder.path)).toEqual(['taken.docent.gz'])

    const made = await json('servers', 'import', path, '--public')
    expect(made).toMatchObject({ visibility: 'public', pages: 1, accessToken: null })
    await docent.untilDone(made.slug)
    // A tool that the copy shared with the original would go with it.
    await out('servers', 'delete', 'taken', '--yes')
    expect((await docent.request('DELETE', `/api/custom-tools/${id}`)).status).toBe(200)
    expect(await out('tools', 'list', made.slug)).toMatch(/\ncustom:ct_\w+ +yes /)
    const answer = await run(['call', made.slug, name, 'question=How often are sprockets oiled?'])
    expect(answer).toMatchObject({ code: 0, stdout: expect.stringContaining('twice a year') })
    expect(await out('servers', 'import', path)).toMatch(
      /^server {4}\S+\nendpoint {2}\S+\ntoken {5}dat_\w+ {2}\(shown only now\)\n1 page came with the file\.\n$/,
    )

    await writeFile(path, 'no file of a server\n')
    expect(await run(['servers', 'import', path])).toMatchObject({ code: 1, stdout: '' })
    for (const none of [join(folder.path, 'none'), folder.path])
      expect(await run(['servers', 'import', none])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`${none} is no file.`),
      })
  })

  test('says who can read the pages of a server', async () => {
    const { slug, url } = await json('servers', 'create', 'Read', `${site.url}/`)
    await docent.untilDone(slug)
    const status = async () => (await fetch(`${url}/llms.txt`)).status
    expect(await out('servers', 'pages', slug, 'off')).toBe('The pages are off.\n')
    expect(await status()).toBe(404)
    expect(await out('servers', 'pages', slug, 'listed')).toBe(`The pages are listed. ${url}/llms.txt lists them.\n`)
    expect(await status()).toBe(200)
    expect((await run(['servers', 'pages', slug, 'hidden'])).code).toBe(1)
  })

  test('searches, and calls a tool of a server', async () => {
    await out('servers', 'create', 'Shop', `${site.url}/`)
    await docent.untilDone('shop')
    expect(await out('search', 'shop', 'oil', 'sprocket')).toContain('Oil every sprocket')
    expect(await out('call', 'shop', 'search_docs', 'query=oil', 'limit=1')).toContain(`${site.url}/`)
    expect((await json('call', 'shop', 'search_docs', 'query=oil')).passages).toHaveLength(1)
    expect((await run(['call', 'shop', 'search_docs'])).code).toBe(5)
    expect((await run(['call', 'shop', 'search_docs', 'oil'])).code).toBe(2)
  })

  test.each([
    ['no key', ['keys', 'list'], { DOCENT_API_KEY: '' }, 3, 'set DOCENT_API_KEY'],
    ['a wrong key', ['keys', 'list'], { DOCENT_API_KEY: 'dk_live_x' }, 3, 'needs a valid API key'],
    ['no service', ['servers', 'get', 'x'], { DOCENT_URL: 'http://127.0.0.1:1' }, 4, 'cannot be reached'],
    ['an unknown server', ['servers', 'get', 'nobody'], {}, 7, 'Server not found'],
    ['an address that is none', ['servers', 'create', 'A', 'not an address'], {}, 1, '"not an address" is not a URL'],
    ['an unknown group', ['stats', 'x', '--by', 'widget'], {}, 2, 'Allowed choices are client, tool, configuration.'],
    ['an unknown range', ['logs', 'x', '--range', '3y'], {}, 2, 'Allowed choices are 7d, 30d, 90d, 1y, all.'],
    ['an unknown outcome', ['logs', 'x', '--outcome', 'ok'], {}, 2, 'answered, related, none, refused, failed.'],
    ['an argument too few', ['sources', 'add', 'x'], {}, 2, 'missing required argument'],
  ])('exits with a code for scripts: %s', async (_, args, env, code, sentence) => {
    const { stdout, stderr, ...ended } = await run(args, env)
    expect([ended.code, stdout]).toEqual([code, ''])
    expect(stderr).toContain(sentence)
    expect(stderr).not.toContain('    at ')
  })
})
