import { expect, test } from 'vitest'
import { markdownBlocks } from '#documents/model/markdown-blocks.ts'
import { sectionsOf as sectionsOfBlocks } from '#documents/model/sections.ts'
import { rowsNamed } from './rows-named.ts'

const sectionsOf = (text: string) => sectionsOfBlocks(markdownBlocks(text), text.length)

const MANUAL = `# Manual

## Options

| Option | Meaning |
| --- | --- |
| \`--host [host]\` | The host to listen on. |
| \`-p\`, \`--port <port>\` | The port. |
| \`--host-file\` | A file of hosts. |

- \`tank_size\` (number): water in the tank

  More about the tank.
- **lid**: what lies on top
- \`rope\`
- see \`chain\` for more

## Words

Backlash
: Play between two teeth.
: It is small.

**-v, --verbose**
: Says more.
**Clutch**
: Separates motor and gears.

**M8 bolt**: holds the lid
to the tank.
**M9 bolt:** holds the rope.

**Bolts** hold the tank.

\`\`\`
- \`coded\`: in code
\`\`\`
`

const HEADER = '| Option | Meaning |\n| --- | --- |\n'

test.each([
  ['--host', [`${HEADER}| \`--host [host]\` | The host to listen on. |`]],
  ['tank --host', [`${HEADER}| \`--host [host]\` | The host to listen on. |`]],
  ['--port', [`${HEADER}| \`-p\`, \`--port <port>\` | The port. |`]],
  ['-p', [`${HEADER}| \`-p\`, \`--port <port>\` | The port. |`]],
  ['tank_size', ['- `tank_size` (number): water in the tank\n\n  More about the tank.']],
  ['lid', ['- **lid**: what lies on top']],
  ['backlash', ['Backlash\n: Play between two teeth.\n: It is small.']],
  ['--verbose', ['**-v, --verbose**\n: Says more.']],
  ['Clutch', ['**Clutch**\n: Separates motor and gears.']],
  ['m8 bolt', ['**M8 bolt**: holds the lid\nto the tank.']],
  ['M9 bolt', ['**M9 bolt:** holds the rope.']],
  ['Bolts', []],
  ['rope', []],
  ['chain', []],
  ['coded', []],
  ['Option', []],
  ['host', []],
  ['--HOST', []],
  ['(a+)+$', []],
])('finds the rows of %s', (name, expected) => {
  const rows = rowsNamed({ markdown: MANUAL, sections: sectionsOf(MANUAL) }, name)
  expect(rows.map(({ text }) => text)).toEqual(expected)
})

test('finds table rows with an empty first cell and shows the title of their group', () => {
  const rule = '| --- | --- | --- |'
  const rows = [
    '|  | `PATH` | The folder. |',
    '| **Filters** |  |  |',
    '|  | `--last N`, `-l` | The newest. |',
    '|  |  | `-x` |',
  ]
  const markdown = ['| **Arguments** |  |  |', rule, ...rows].join('\n')
  const textsOf = (name: string) =>
    rowsNamed({ markdown, sections: sectionsOf(markdown) }, name).map(({ text }) => text)
  expect(textsOf('PATH')).toEqual([['| **Arguments** |  |  |', rule, rows[0]].join('\n')])
  expect(textsOf('--last')).toEqual([[rows[1], rule, rows[2]].join('\n')])
  expect(textsOf('-x')).toEqual([])
})

test('names the section of a row', () => {
  const [row] = rowsNamed({ markdown: MANUAL, sections: sectionsOf(MANUAL) }, 'Backlash')
  expect(row).toMatchObject({ name: 'Backlash', section: { level: 2, heading: 'Words' } })
})

test.each([
  ['a row', (words: string) => `| Option | Meaning |\n| --- | --- |\n| \`lid\` | ${words} |`],
  ['an item', (words: string) => `- \`lid\`: what\n  ${words}`],
])('ends the text of %s that is very long, and finds three rows at most', (_, write) => {
  const markdown = Array.from({ length: 4 }, () => write('word '.repeat(1_000))).join('\n\n')
  const rows = rowsNamed({ markdown, sections: sectionsOf(markdown) }, 'lid')
  expect(rows).toHaveLength(3)
  for (const { text } of rows) expect(text.length).toBeLessThan(2_100)
})
