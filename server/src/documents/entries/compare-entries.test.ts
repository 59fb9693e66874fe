import { expect, test } from 'vitest'
import { openShelf } from '../../../test/support/mcp/shelf.ts'
import type { SearchRequest } from '#search/passage.ts'
import { compareEntries } from './compare-entries.ts'

const about = (name: string, light: string) => ({
  url: `https://garden.example/${name.toLowerCase()}`,
  markdown: `# ${name}\n\n${name} is a plant.\n\n## Light\n\n${light} More about it.\n\n## Soil\n\nLoam.\n`,
})

test('compares a property by the first sentence below its heading', async () => {
  const { library, search } = openShelf({ pages: [about('Fern', 'Half shade.'), about('Cactus', 'Full sun.')] })
  const deps = { library, search: (request: SearchRequest) => search(request) }
  const { sides, rows } = await compareEntries(deps, { names: ['Fern', 'Cactus'], aspects: ['light'], scope: {} })
  expect(sides.map(({ name }) => name)).toEqual(['Fern', 'Cactus'])
  expect(rows.map(({ cells }) => cells.map((cell) => cell?.value))).toEqual([['Half shade.', 'Full sun.']])
})
