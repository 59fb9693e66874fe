import { expect, test } from 'vitest'
import { createWordAnalyser } from '#search/analyse/word-analyser.ts'
import { pageName } from './page-name.ts'

const english = createWordAnalyser('en')

test.each([
  ['re.findall', 'findal'],
  ['`asyncio.run_until_complete()`', 'rununtilcomplet'],
  ['useEffect', 'useeffect'],
  ['class: BrowserContext', 'browsercontext'],
  ['re.sub', 'sub'],
  ['os.rm', null],
  ['count', null],
  ['Working with routes', null],
  ['From useState to useReducer', null],
  ['', null],
])('derives from the page title %j the name %j', (title, expected) => {
  expect(pageName(title, english)).toBe(expected)
})
