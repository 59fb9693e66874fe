import { describe, expect, test } from 'vitest'
import { cpuSeconds } from '../../../../test/support/lib/cpu-seconds.ts'
import type { EntryKind } from '../document.ts'
import { markdownBlocks } from '../markdown-blocks.ts'
import { nameHash } from '../name-key.ts'
import { readEntries } from './read-entries.ts'

const read = (markdown: string, title = 'Kilns') => readEntries({ title, markdown, blocks: markdownBlocks(markdown) })

/** Entries as kind, name as written and text. */
const entriesOf = (markdown: string, title?: string) =>
  read(markdown, title).map(({ kind, name, start, end }) => [
    kind,
    markdown.slice(name.start, name.end),
    markdown.slice(start, end).trim(),
  ])

/** Pairs of a page and its only entry: the name as written, and the names under which it is found. */
const PAIRS: Record<EntryKind, readonly (readonly [string, string, readonly string[]])[]> = {
  member: [
    ['## Kiln.fire(heat)\n\nHeats.', 'Kiln.fire(heat)', ['kiln.fire', 'fire']],
    ['## class Kiln\n\nA kiln.', 'class Kiln', ['kiln']],
    ['## pub fn fire<R>(&mut self)\n\nHeats.', 'pub fn fire<R>(&mut self)', ['fire']],
    ['| Property | Type |\n| --- | --- |\n| `heat` | number |', '`heat`', ['heat']],
    ['- `fireKiln` (function): heats.', '`fireKiln`', ['firekiln']],
    ['```c\nint kiln_fire(\n  kiln *k\n);\n```', 'kiln_fire', ['kiln_fire']],
  ],
  option: [
    ['### -q, --quiet\n\nSays less.', '-q, --quiet', ['-q', '--quiet']],
    ['| Option | Meaning |\n| --- | --- |\n| `--cone <n>`, `-c` | Heat. |', '`--cone <n>`, `-c`', ['--cone', '-c']],
    ['|  | Name | Meaning |\n| --- | --- | --- |\n|  | `--last N` | New. |', '`--last N`', ['--last']],
    ['**-v, --verbose**\n: Says more.', '**-v, --verbose**', ['-v', '--verbose']],
    ['```\n--shelves=<number> [default: 2]\n```\n\nHow many shelves.', '--shelves', ['--shelves']],
  ],
  setting: [
    ['## kiln.max_heat\n\nThe limit.', 'kiln.max_heat', ['kiln.max_heat', 'max_heat']],
    ['kiln.mode\n\nHow it heats.', 'kiln.mode', ['kiln.mode', 'mode']],
    ['KILN_PORT <K>\n\nThe port.', 'KILN_PORT <K>', ['kiln_port']],
    ['| kiln_limit | Type: integer |\n| --- | --- |\n\nThe limit.', 'kiln_limit', ['kiln_limit']],
    ['- `kiln_heat` (number): heat of the kiln', '`kiln_heat`', ['kiln_heat']],
  ],
  command: [
    ['## kiln prune\n\nRemoves.', 'kiln prune', ['kiln prune', 'prune']],
    ['| Command | Meaning |\n| --- | --- |\n| `kiln ls` | Lists. |', '`kiln ls`', ['kiln ls', 'ls']],
  ],
  release: [
    ['## 2.1.0 (2024-03-01)\n\n- New.', '2.1.0 (2024-03-01)', ['2.1.0']],
    ['## Unreleased\n\nSoon.', 'Unreleased', []],
  ],
  definition: [
    ['## Glaze {#glaze}\n\nA coat.', 'Glaze', ['glaze']],
    ['Backlash\n: Play between teeth.', 'Backlash', ['backlash']],
    ['**M8 bolt:** holds the lid.', '**M8 bolt:**', ['m8 bolt']],
    ['- **lid**: lies on top', '**lid**', ['lid']],
  ],
  endpoint: [
    ['## GET /kilns/{id}\n\nOne kiln.', 'GET /kilns/{id}', ['get /kilns/{}']],
    ['# Kilns\n\nOperation: `kilns/get`.\n', '`kilns/get`', ['kilns/get']],
  ],
  schema: [['## Kiln (schema)\n\nFields.', 'Kiln (schema)', ['kiln']]],
  message: [
    ['## KilnError\n\nIt is cold.', 'KilnError', ['kilnerror']],
    ['| Code | Meaning |\n| --- | --- |\n| `E1042` | Too hot. |', '`E1042`', ['e1042']],
    ['- `ERR_KILN_COLD`: it is cold', '`ERR_KILN_COLD`', ['err_kiln_cold']],
  ],
  step: [['## Step 1: Open the lid\n\nUp.', 'Step 1: Open the lid', ['step 1']]],
  question: [['## How hot is it?\n\nVery.', 'How hot is it?', ['how hot is it?']]],
}

describe.each(Object.keys(PAIRS) as EntryKind[])('%s', (kind) => {
  test.each(PAIRS[kind])('reads an entry from %j', (markdown, name, keys) => {
    const title = kind === 'release' ? 'Changelog' : 'Kilns'
    expect(entriesOf(markdown, title)).toEqual([[kind, name, expect.any(String)]])
    expect(read(markdown, title)[0]?.keys).toEqual(keys.map(nameHash))
  })
})

/** Kinds and names as written. */
const namesOf = (markdown: string, title?: string) =>
  read(markdown, title).map(({ kind, name }) => `${kind} ${markdown.slice(name.start, name.end)}`)

test.each([
  ['setting Port', '## Action Parameters\n\n### Port\n\nOf the kiln.'],
  ['setting maxHeat', '## Settings\n\n### maxHeat\n\nThe limit.'],
  ['setting timeout fire-request <timeout>', '## Keywords\n\n### timeout fire-request <timeout>\n\nThe limit.'],
  ['setting PRAGMA kiln.heat', '## List\n\n### PRAGMA kiln.heat\n\nHeat.'],
  ['message KILN_COLD (3)', '## Result codes\n\n### KILN_COLD (3)\n\nToo cold.'],
  ['option heat', '## Options\n\n### heat\n\nHow hot.'],
  ['member fire', '## Method Details\n\n### fire\n\n```java\npublic void fire()\n```\n\nHeats.'],
  ['member fire(heat)', '## Configuration\n\n### fire(heat)\n\nHeats.'],
])('tells the kind of a name by the heading above it: %s', (entry, markdown) =>
  expect(namesOf(markdown)).toContain(entry),
)

test('takes no sentence and no part of a text for a setting', () => {
  expect(namesOf('# Settings\n\n## Overview\n\nAll.\n\n## Where it is stored\n\nHere.', 'Settings')).toEqual([
    'definition Overview',
    'definition Where it is stored',
  ])
})

test('finds the names of a table behind a column of types', () => {
  const rows = (header: string) => `| ${header} |\n| --- | --- | --- |\n| \`int\` | \`heat()\` | The heat. |`
  expect(namesOf(rows('Modifier and Type | Method | Description'))).toEqual(['member `heat()`'])
  expect(namesOf(rows('type | default | mandatory'))).toEqual([])
})

test('takes numbered headings for steps only in a procedure', () => {
  const numbered = '## 1. Open the lid\n\nUp.\n\n## 2. Light it\n\nNow.'
  expect(namesOf(numbered, 'How to fire a kiln')).toEqual(['step 1. Open the lid', 'step 2. Light it'])
  expect(namesOf('## 1. Clay\n\nA.\n\n## 2. Fire\n\nB.')).toEqual(['definition 1. Clay', 'definition 2. Fire'])
  expect(namesOf(`${numbered}\n\n### 2.1. Matches\n\nDry.`, 'How to fire a kiln')).not.toContain('step 2. Light it')
})

test('takes the items of an ordered list below a how-to heading for steps', () => {
  const list = '1. Open the lid. It is hot.\n2. Add clay:\n   - soft\n3. Fire it'
  expect(namesOf(`## Firing a kiln\n\n${list}`)).toEqual([
    'definition Firing a kiln',
    'step Open the lid',
    'step Add clay',
    'step Fire it',
  ])
  expect(namesOf(`## Parts\n\n${list}`)).toEqual(['definition Parts'])
  expect(namesOf('## Firing a kiln\n\n1. The lid is open.\n2. It holds clay.')).toEqual(['definition Firing a kiln'])
})

test('takes no chapter for a release', () => {
  const chapters = '## 2.1. Heat\n\nA.\n\n## 2.2 Cold air\n\nB.\n\n## 2.3: Warm\n\nC.'
  for (const title of ['2 History of kilns', 'Kilns']) expect(namesOf(chapters, title).join()).not.toContain('release')
  expect(namesOf('## 2.1.0 Heat\n\nA.', 'Changelog')).toEqual(['release 2.1.0 Heat'])
})

test.each([
  ['parts that any page has', '## Examples\n\nOne.\n\n## See also\n\nAnother.'],
  ['the title', '# Kilns\n\nAbout kilns.'],
  ['prose', '**Kilns** are hot.\n\n- **Beware** \n- see `lid` for more\n\nA `lid`: that is it.'],
  ['code', '```js\nconst a = kiln()\nreturn fire(a);\n```'],
  ['numbers', '| Year | Heat |\n| --- | --- |\n| 1999 | 12 |'],
  ['titles of groups of rows', '| Option | Meaning |\n| --- | --- |\n| **Filters** |  |'],
  ['a table without header', '| `--cone` | Heat. |'],
])('finds no names in %s', (_, markdown) => expect(entriesOf(markdown)).toEqual([]))

test('ends each entry with its section, its row, or the next entry', () => {
  const page =
    '## Options\n\nkiln.mode\n\nHow it heats.\n\n> default: slow\n\nkiln.lid\n\nIf it has a lid.\n\n### Deep\n\nText.\n\n## Words\n\n- `lid`: on\n  top\n- `rope`: below'
  expect(entriesOf(page).map(([, name, text]) => [name, text])).toEqual([
    ['Options', page.slice(0, page.indexOf('## Words')).trim()],
    ['kiln.mode', 'kiln.mode\n\nHow it heats.\n\n> default: slow'],
    ['kiln.lid', 'kiln.lid\n\nIf it has a lid.'],
    ['Deep', '### Deep\n\nText.'],
    ['Words', page.slice(page.indexOf('## Words'))],
    ['`lid`', '- `lid`: on\n  top'],
    ['`rope`', '- `rope`: below'],
  ])
})

test('takes numbered headings for releases only if most sections at their level are', () => {
  const kinds = (markdown: string) => read(markdown).map(({ kind }) => kind)
  expect(kinds('## 1.0.0\n\nA.\n\n## 1.1.0\n\nB.')).toEqual(['release', 'release'])
  expect(kinds('## 1.0 Heat\n\nA.\n\n## Cold\n\nB.\n\n## Warm\n\nC.')).not.toContain('release')
})

test('bounds the entries of a page, in linear time', () => {
  const rows = Array.from({ length: 20_000 }, (_, at) => `- \`name_${at}\`: text`).join('\n')
  expect(read(rows)).toHaveLength(10_000)
  for (const hostile of ['`'.repeat(200_000), '(a'.repeat(100_000), '| '.repeat(100_000), '**a'.repeat(60_000)])
    expect(read(`${hostile}\n: ${hostile}\n\n- ${hostile}\n\n\`\`\`\nint a${hostile}\n\`\`\``).length).toBeLessThan(10)
})

test('looks for what a block declares in that block alone', () => {
  const text = `${'## a\n\n```\nx\n```\n\n'.repeat(9_000)}${'x'.repeat(15_000_000)}`
  expect(cpuSeconds(() => read(text))).toBeLessThan(1)
})

test('reads the terms of a list of definitions from HTML, whose block is a list', () => {
  const markdown = '**Glaze**\n: A coat of glass.\n**Bisque**\n: Fired once.\n'
  const blocks = [{ kind: 'list' as const, start: 0, end: markdown.length }]
  const entries = readEntries({ title: 'Terms', markdown, blocks })
  expect(entries.map(({ kind, name }) => [kind, markdown.slice(name.start, name.end)])).toEqual([
    ['definition', '**Glaze**'],
    ['definition', '**Bisque**'],
  ])
})
