import { expect, it } from 'vitest'
import { cpuSeconds } from '../../../test/support/lib/cpu-seconds.ts'
import { extractMarkdown } from './extract-markdown.ts'

function markdownOf(source: string): string {
  const page = extractMarkdown(`# Page\n\n${source}`, 'https://docs.example/page.md')
  if (page.kind === 'rejected') throw new Error(page.detail)
  return page.markdown.slice('# Page'.length).trim()
}

it.each([
  ['of VitePress', '::: tip\nUse it.\n:::', 'Use it.'],
  ['of VitePress with a title', '::: details Show more\nText.\n:::', '**Show more**\n\nText.'],
  ['of Docusaurus', ':::note[Mind this]\n\nText.\n\n:::', '**Mind this**\n\nText.'],
  ['of MyST', ':::{admonition} Mind this\nText.\n:::', '**Mind this**\n\nText.'],
  ['that warns', ':::danger\n\nHot.\n\n:::', '**Danger**\n\nHot.'],
  ['of MkDocs', '!!! note "Mind this"\n    Text.', '**Mind this**\n\n    Text.'],
  ['of GitHub', '> [!WARNING]\n> Hot.', '> **Warning**\n>\n> Hot.'],
  ['of GitHub that only notes', '> [!NOTE]\n> Cold.', '>\n> Cold.'],
])('replaces the marks of a container %s with its title', (_, source, expected) => {
  expect(markdownOf(source)).toBe(expected)
})

it('labels the blocks of a group of code', () => {
  const group = '::: code-group\n\n```sh [npm]\nnpm i x\n```\n\n```sh [Yarn]\nyarn add x\n```\n\n:::\n\nText.'
  expect(markdownOf(group)).toBe(
    '**npm**\n\n```sh [npm]\nnpm i x\n```\n\n**Yarn**\n\n```sh [Yarn]\nyarn add x\n```\n\nText.',
  )
})

it('labels the tabs of MkDocs', () => {
  expect(markdownOf('=== "Python"\n\n    Text.')).toBe('**Python**\n\n    Text.')
})

it.each(['Write std::vec::Vec and a ::: b.', '```\n::: tip\n!!! note\n```', 'Stop!!! note this.'])(
  'leaves %j unchanged',
  (source) => expect(markdownOf(source)).toBe(source),
)

it('parses container markers in linear time', () => {
  const measure = (count: number) => {
    return cpuSeconds(() => {
      for (const mark of ['::: {', ':::note[', '!!! a ', '=== "', '> [!note', '```a {'])
        markdownOf(`${mark}\n`.repeat(count) + mark.repeat(count))
    })
  }
  measure(100)
  expect(measure(20_000)).toBeLessThan(30 * Math.max(measure(2_000), 0.02))
})
