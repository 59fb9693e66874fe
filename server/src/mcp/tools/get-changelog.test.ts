import { describe, expect, test } from 'vitest'
import { openShelf } from '../../../test/support/mcp/shelf.ts'

const REPO = 'https://github.com/acme/widgets'
const release = (tag: string, day: string, body: string) => ({
  url: `${REPO}/releases/tag/${tag}`,
  title: `Release ${tag}`,
  markdown: `# Release ${tag}\n\nRelease, tag ${tag}, published ${day}.\n\n${body}`,
})
const changelog = `# Changelog

All changes.

## [Unreleased]

- Soon.

## [2.1.0] - 2026-02-01

- Adds \`oil\`.

### Node.js 18.2

Needed from now on.

## 2.0.0 (January 10, 2026)

### Breaking changes

- \`grease\` is gone.

## v2.0.0-rc.1

- A candidate.

## 1.10.0

- Faster.

## 1.9.0 / 2025-06-30

- Slower.
`
const shelf = openShelf(
  {
    type: 'repo',
    label: 'Code',
    pages: [
      { url: `${REPO}/blob/main/CHANGELOG.md`, markdown: changelog },
      release('v2.1.0', '2026-02-01', 'Oil at last, for every sprocket there is, with a long explanation of why.'),
      release('v3.0.0-beta.1', '2026-03-01', 'To be tried.'),
    ],
  },
  {
    label: 'Handbook',
    pages: [
      { url: 'https://w.example/guide/upgrade-to-v2', markdown: '# Upgrade to v2\n\nReplace `grease` by `oil`.' },
      { url: 'https://w.example/guide/oiling', markdown: '# Oiling\n\nOil it.' },
      { url: 'https://w.example/guide/migrate', markdown: '# Migrate from Gadgets\n\nRename all.' },
    ],
  },
)
const ask = (args: object) => shelf.call('get_changelog', args)
const versions = async (args: object) =>
  (await ask({ limit: 20, ...args })).structured.results.map((each: any) => each.version)

describe('releases', () => {
  test('orders releases by version without duplicates, pre-releases below their release', async () => {
    expect(await versions({ source: 'Code' })).toEqual([
      null,
      '3.0.0-beta.1',
      '2.1.0',
      '2.0.0',
      '2.0.0-rc.1',
      '1.10.0',
      '1.9.0',
    ])
  })

  test('shows version, date and breaking changes, with all places of each release', async () => {
    const { text, structured } = await ask({ version: '2.1.0' })
    expect(text).toContain('[1] Release v2.1.0\nSource: https://github.com/acme/widgets/releases/tag/v2.1.0')
    expect(text).toContain('Version 2.1.0, 2026-02-01')
    expect(text).toContain(`Also at: ${REPO}/blob/main/CHANGELOG.md#`)
    expect(structured.results).toMatchObject([
      { kind: 'release', version: '2.1.0', date: '2026-02-01', breaking: false },
    ])
    const { structured: two } = await ask({ version: '2.0.0', source: 'Code' })
    expect(two.results).toMatchObject([{ heading: '2.0.0 (January 10, 2026)', date: '2026-01-10', breaking: true }])
  })

  test('links to version headings that have subheadings', async () => {
    const entry = (version: string, id: string) =>
      `## ${version} {#${id}}\n\n### Fixed {#${id}-fixed}\n\n- A leak.\n\n### Added {#${id}-added}\n\n- Oil.\n`
    const markdown = `# Changelog\n\n${entry('1.3.0', 'r3')}\n${entry('1.2.0', 'r2')}\n## 1.1.0 {#r1}\n\n- First.\n`
    const log = openShelf({ pages: [{ url: 'https://w.example/changelog', markdown }] })
    const { structured } = await log.call('get_changelog', {})
    expect(structured.results.map(({ version, url }: any) => `${version} ${url}`)).toEqual([
      '1.3.0 https://w.example/changelog#r3',
      '1.2.0 https://w.example/changelog#r2',
      '1.1.0 https://w.example/changelog#r1',
    ])
  })

  test.each([
    [{ version: '2' }, ['2.1.0', '2.0.0', '2.0.0-rc.1', '2']],
    [{ version: 'v1.10' }, ['1.10.0']],
    [{ version: 'latest', source: 'Code' }, ['2.1.0']],
    [{ version: 'latest', source: 'Handbook' }, ['2']],
    [{ range: '>=1.10 <2' }, ['1.10.0']],
    [{ range: '^2.0', source: 'Code' }, ['2.1.0', '2.0.0']],
    [{ since: '2026-01-11' }, ['3.0.0-beta.1', '2.1.0']],
    [{ query: 'grease', source: 'Code' }, ['2.0.0']],
  ])('selects matching releases by %j', async (args, expected) => {
    expect((await versions(args)).toSorted()).toEqual(expected.toSorted())
  })

  test('treats guides that name a version as releases', async () => {
    expect((await ask({ source: 'Handbook' })).structured.results).toMatchObject([
      { kind: 'migration', version: '2', breaking: true, url: 'https://w.example/guide/upgrade-to-v2' },
    ])
  })

  test('counts releases without a date when a date is given', async () => {
    expect((await ask({ since: '2026-02-15', source: 'Code' })).text).toMatch(/\[note\] \d+ releases say no date/)
  })
})

test('continues at the cursor after the last page', async () => {
  const first = await ask({ source: 'Code', limit: 3 })
  expect(first.text).toContain(`[note] More: call get_changelog again with cursor "${first.structured.nextCursor}".`)
  const next = await ask({ source: 'Code', limit: 3, cursor: first.structured.nextCursor })
  expect(next.structured.results.map((each: any) => [each.rank, each.version])).toEqual([
    [4, '2.0.0'],
    [5, '2.0.0-rc.1'],
    [6, '1.10.0'],
  ])
  expect(await shelf.fail('get_changelog', { limit: 3, cursor: first.structured.nextCursor })).toContain(
    'another search',
  )
})

test('lists the available versions if none matches', async () => {
  expect((await ask({ version: '9' })).text).toMatch(
    /No release fits\. The sources describe these versions: 3\.0\.0-beta\.1, 2\.1\.0/,
  )
})

test.each([
  [{ version: 'newish' }, '"newish" is no version'],
  [{ range: 'newer' }, '"newer" is no range'],
  [{ since: 'May' }, '"May" is no day'],
  [{ since: '2026-13-01' }, 'is no day'],
  [{ limit: 21 }, '"limit" must be a whole number of 1 to 20'],
  [{ source: 'Nope' }, 'There is no source "Nope"'],
])('refuses the arguments %j', async (args, sentence) => {
  expect(await shelf.fail('get_changelog', args)).toContain(sentence)
})

test('suggests which source to add if there is no changelog', async () => {
  const bare = openShelf({ pages: [{ url: 'https://w.example/oil', markdown: '# Oil\n\nOil it.' }] })
  const { text, structured } = await bare.call('get_changelog', {})
  expect(text).toMatch(/^\[note\] The sources of this server hold no changelog.*Add the project's repository/)
  expect(structured).toMatchObject({ results: [], missing: { needs: ['website', 'docs', 'repo'] } })
})

describe('version of a guide', () => {
  const versionAt = async (path: string, title = 'Migrating') => {
    const markdown = `# ${title}\n\nReplace grease by oil.`
    const pages = [{ url: `https://w.example${path}`, markdown }]
    return (await openShelf({ pages }).call('get_changelog', {})).structured.results.map(({ version }: any) => version)
  }

  test.each([
    '/docs/v2/migrate',
    '/docs/2.x/migrating.html',
    '/3-tutorials/upgrade',
    '/guide/04-upgrade.md',
    '/2024/upgrade/index.html',
    '/docs/1.10/migration/from-gadgets',
  ])('does not take a folder name or page location for the version: %s', async (path) => {
    expect(await versionAt(path)).toEqual([])
  })

  test('does not treat a chapter number as a version', async () => {
    expect(await versionAt('/guide/upgrade', '3. Upgrade guide')).toEqual([])
  })

  test.each([
    ['/upgrade-to/v3', '3'],
    ['/guide/migrate-to-2.0.html', '2.0'],
    ['/docs/v1/upgrade-to-v2/index.html', '2'],
    ['/migration/3.1/', '3.1'],
  ])('reads the version from the end of an address: %s', async (path, version) => {
    expect(await versionAt(path)).toEqual([version])
  })
})

test('does not treat an entry with a path as its title as a release', async () => {
  const markdown = '# Changelog\n\n## 2.0/install\n\nMoved.\n\n## 1.0\n\nFirst.'
  const { structured } = await openShelf({ pages: [{ url: 'https://w.example/changelog', markdown }] }).call(
    'get_changelog',
    {},
  )
  expect(structured.results.map(({ version }: any) => version)).toEqual(['1.0'])
})

describe('several products on one site', () => {
  const post = (product: string, version: string, day: string) => ({
    url: `https://w.example/${product.toLowerCase()}/blog/${day}-${version}`,
    markdown: `# ${product} ${version} is out!\n\nNew in ${product}.`,
  })
  const site = openShelf({
    pages: [
      post('Cogs', '1.0', '2025-01-01'),
      post('Cogs', '2.0', '2026-01-01'),
      post('Gears', '7.0', '2025-06-01'),
      { url: 'https://w.example/gears/changelog', markdown: '# Gears changelog\n\n## 6.0\n\nOld.\n\n## 5.0\n\nOlder.' },
    ],
  })
  const told = async (args: object) =>
    (await site.call('get_changelog', args)).structured.results.map((each: any) => `${each.component} ${each.version}`)

  test('merges releases by date', async () => {
    expect(await told({ limit: 9 })).toEqual(['Cogs 2.0', 'Gears 7.0', 'Cogs 1.0', 'Gears 6.0', 'Gears 5.0'])
  })
  test('selects a product by name', async () => expect(await told({ query: 'cogs' })).toEqual(['Cogs 2.0', 'Cogs 1.0']))
  test('shows the latest release of each product', async () =>
    expect(await told({ version: 'latest' })).toEqual(['Cogs 2.0', 'Gears 7.0']))
})

describe('manual with a page per release', () => {
  const release = (version: string, rest = '') => ({
    url: `https://w.example/releases/${version}`,
    markdown: `# Cogs ${version} release notes\n\nAll of ${version}.\n${rest}`,
  })
  const manual = openShelf({
    pages: [
      release('3.2', '\n## Teeth\n\nMore teeth.\n\n## Cogs 3.2 and oil\n\nLess oil.\n'),
      release('3.2.1'),
      release('3.2.2'),
      {
        url: 'https://w.example/cog-migration',
        title: 'cog-migration(7)',
        markdown: '# cog-migration(7)\n\nFrom gears.',
      },
    ],
  })
  const told = async (args: object) => (await manual.call('get_changelog', args)).structured.results

  test('shows the exact release before its line', async () => {
    expect((await told({ version: '3.2' })).map((each: any) => each.version)).toEqual(['3.2', '3.2.2', '3.2.1'])
  })
  test('shows a whole release, even with repeated headings', async () => {
    expect((await told({ version: 'v3.2' }))[0].text).toMatch(/All of 3\.2\.[^]*Teeth[^]*Less oil/)
  })
  test('does not treat a manual section as a version', async () => {
    expect((await told({ limit: 9 })).map((each: any) => each.version)).toEqual(['3.2.2', '3.2.1', '3.2'])
  })
})
