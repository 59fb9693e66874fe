import { expect, test } from 'vitest'
import { openShelf } from '../../../test/support/mcp/shelf.ts'
import { findPlaces } from './find-places.ts'

const { library } = openShelf({
  pages: [
    {
      url: 'https://w.example/press',
      markdown:
        '# Press\n\n## Options\n\n| Option | Default | Description |\n| --- | --- | --- |\n| `--oil` | no | Oils the press. |\n| `--heat` | 20 | Heats it. |\n\n## press.oil(can)\n\nOils it from a can.\n',
    },
    {
      url: 'https://w.example/commands',
      markdown:
        '# Commands\n\n| Option | Meaning |\n| --- | --- |\n| `drain --to PATH` | Where the oil goes. |\n| `fill --to LEVEL`, `fill --slowly` | How far it fills. |\n',
    },
    { url: 'https://w.example/oil', markdown: '# Oil\n\nA can of it.\n' },
  ],
})
const noSearch = async () => {
  throw new Error('There is no search.')
}
const passagesOf = async (name: string, kinds?: readonly ('option' | 'member')[]) => {
  const wanted = { name, passages: [], ...(kinds ? { kinds } : {}) }
  const { places } = await findPlaces({ library, search: noSearch }, wanted, undefined)
  return places.map(({ page, section, row, label }) => ({
    title: page.title,
    heading: row?.name ?? label ?? section.heading,
    text: row?.text,
    anchor: section.anchor,
  }))
}

test('finds a row with the header of its table', async () => {
  expect(await passagesOf('--oil')).toMatchObject([
    {
      heading: '--oil',
      anchor: 'options',
      text: '| Option | Default | Description |\n| --- | --- | --- |\n| `--oil` | no | Oils the press. |',
    },
  ])
})

test('finds entries of the wanted kinds alone, without a search', async () => {
  expect((await passagesOf('oil')).map(({ title }) => title)).toContain('Oil')
  expect(await passagesOf('oil', ['member'])).toMatchObject([{ anchor: 'pressoilcan', heading: 'press.oil(can)' }])
  expect(await passagesOf('oil', ['option'])).toEqual([])
})

test('finds an option that is written with its command, with and without it', async () => {
  const drain = { heading: 'drain --to PATH' }
  const fill = { heading: 'fill --to LEVEL, fill --slowly' }
  expect(await passagesOf('press oil drain --to')).toMatchObject([drain])
  expect(await passagesOf('fill --to')).toMatchObject([fill])
  expect(await passagesOf('--slowly')).toMatchObject([fill])
  expect(await passagesOf('--to')).toMatchObject([drain, fill])
})
