import { expect, test } from 'vitest'
import { headingsOf } from './blocks.ts'

test('finds the headings of a passage, but no comments in its code', () => {
  const code = '```sh\n# Oil the sprocket first:\nsprocket oil\n```'
  const markdown = `## Care\n\n${code}\n\n #### Wipe it \n#\n#tag\n`
  expect(headingsOf(markdown)).toEqual([
    { start: 0, text: '## Care' },
    { start: markdown.indexOf(' #### Wipe'), text: '#### Wipe it' },
  ])
})
