import { expect, test } from 'vitest'
import { markdownBlocks } from '#documents/model/markdown-blocks.ts'
import { sectionsOf as sectionsOfBlocks } from '#documents/model/sections.ts'
import { entriesNamed } from './entries-named.ts'

const sectionsOf = (text: string) => sectionsOfBlocks(markdownBlocks(text), text.length)

const entriesOf = (markdown: string, name: string) =>
  entriesNamed({ markdown, sections: sectionsOf(markdown) }, name).map(({ start, close }) =>
    markdown.slice(start, close).trim(),
  )

const MANUAL = `# Manual

## Variables

tank.size

> Type: BYTES

Water in the tank, as tank.size says.

tank.lid <K>

If set, the tank has a lid.

\`\`\`
--num-tanks=<number> [default: 12]
\`\`\`

The number of tanks:

\`\`\`
tank --num-tanks 3
\`\`\`

## Options

| lid_limit | Use: main | Type: string | Default: 50M |
| --- | --- | --- | --- |

The limit of lids. See lid_count.

| lid_count | Use: main | Type: integer |
| --- | --- | --- |

The number of lids.

## Index

| Name | Meaning |
| --- | --- |
| lid_limit | all lids |
`

test.each([
  ['tank.size', ['tank.size\n\n> Type: BYTES\n\nWater in the tank, as tank.size says.']],
  ['tank.lid', ['tank.lid <K>\n\nIf set, the tank has a lid.']],
  [
    '--num-tanks',
    ['```\n--num-tanks=<number> [default: 12]\n```\n\nThe number of tanks:\n\n```\ntank --num-tanks 3\n```'],
  ],
  [
    'lid_limit',
    [
      '| lid_limit | Use: main | Type: string | Default: 50M |\n| --- | --- | --- | --- |\n\nThe limit of lids. See lid_count.',
    ],
  ],
  ['lid_count', ['| lid_count | Use: main | Type: integer |\n| --- | --- | --- |\n\nThe number of lids.']],
  ['tank', []],
  ['Variables', []],
  ['tank size', []],
  ['(a+)+$', []],
])('finds the entry of %s', (name, expected) => expect(entriesOf(MANUAL, name)).toEqual(expected))

test('limits an entry to 2,000 characters', () => {
  const [entry = ''] = entriesOf(`# M\n\na_name\n\n${'More about it. '.repeat(400)}`, 'a_name')
  expect(entry.length).toBeLessThanOrEqual(2_000)
})
