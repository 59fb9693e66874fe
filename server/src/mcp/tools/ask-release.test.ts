import { expect, test } from 'vitest'
import { openShelf } from '../../../test/support/mcp/shelf.ts'

const entry = (version: string, lines: readonly string[]) =>
  `## Version ${version}\n\n${lines.map((line) => `- ${line}`).join('\n')}`

const shelf = openShelf({
  pages: [
    {
      url: 'https://widgets.example/changes.html',
      title: 'Changes',
      markdown: [
        entry('3.0.0', [
          'First of all, a lid.',
          ...Array.from({ length: 40 }, (_, at) => `The part with the number ${at} is made of brass.`),
          'All that is new and changed in version 3.0.0 is written on the can.',
        ]),
        entry('2.1.1', ['Mend the sprocket of the left wheel.']),
        entry('2.1.0', ['Add the flag `--quiet` to the command `oil`.', 'Remove the module for brass.']),
        entry('2.0.0', ['New in this version: a faster press.', 'Change the default of `oil` to fine oil.']),
      ].join('\n\n'),
    },
    {
      url: 'https://widgets.example/oil',
      markdown:
        '# What is new about oil\n\nNew oil is added to the widgets. What changed in the oil is written on the can.\n',
    },
  ],
})

test('answers what changed in a release from its entry alone', async () => {
  const { structured } = await shelf.call('ask_question', { question: 'What is new in 2.1.0?' })
  expect(structured.answer).toContain('## Version 2.1.0')
  expect(structured.answer).toContain('Remove the module for brass.')
  expect(structured.answer).not.toContain('sprocket')
  expect(structured.answer).not.toContain('faster press')
  expect(structured.confidence).toBe('high')
})

test('answers with the beginning of a long entry', async () => {
  const { structured } = await shelf.call('ask_question', { question: 'What is new in version 3.0.0?' })
  expect(structured.answer).toMatch(/^## Version 3\.0\.0\n\n- First of all, a lid\./)
  expect(structured.answer).toMatch(/… \d+ more items at \[1\]/)
})

test('answers what changed in a line with its first release', async () => {
  const { structured } = await shelf.call('ask_question', { question: 'What changed in version 2.1?' })
  expect(structured.answer).toContain('## Version 2.1.0')
})

test('takes no release for one that the sources do not describe', async () => {
  const { structured } = await shelf.call('ask_question', { question: 'What changed in version 7.3?' })
  expect(structured.confidence).toBe('low')
  expect(structured.answer).toMatch(/^Not an answer, but related:/)
})
