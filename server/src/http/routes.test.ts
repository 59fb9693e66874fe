import { expect, test } from 'vitest'
import { ROUTES } from './routes.ts'

const paths = ROUTES.map(({ path }) => path)

test.each([
  ['/api/mcp/list', '/api/mcp/:id'],
  ['/api/mcp/:id/sources/upload', '/api/mcp/:id/sources/:sourceId'],
])('matches %s before %s', (fixed, parametric) => {
  expect(paths).toContain(fixed)
  expect(paths.indexOf(fixed)).toBeLessThan(paths.indexOf(parametric))
})
