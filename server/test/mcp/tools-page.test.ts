import { BUILT_IN_TOOLS } from '@docent/contract/values/tools'
import { expect, test } from 'vitest'
import { TOOLS } from '#mcp/tools/tools.ts'
import { startExample } from './tools-page/start-example.ts'
import { toolsPage } from './tools-page/tools-page.ts'

test('keeps docs/tools.md up to date (update it with: npm test -- server/test/mcp/tools-page --update)', async () => {
  await using example = await startExample()
  const page = await toolsPage((tool, args) => example.call(tool, args))
  await expect(page).toMatchFileSnapshot('../../../docs/tools.md')
  const documented = [...page.matchAll(/^## ([a-z_]+)$/gm)].map(([, name]) => name)
  expect(documented).toEqual(BUILT_IN_TOOLS.map(({ name }) => name))
  expect(documented).toEqual(Object.keys(TOOLS))
})
