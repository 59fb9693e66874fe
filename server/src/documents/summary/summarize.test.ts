import { expect, test } from 'vitest'
import { found as foundOf } from '../../../test/support/mcp/mcp-fakes.ts'
import { openShelf } from '../../../test/support/mcp/shelf.ts'
import { summarizeTopic } from './summarize.ts'

const { library } = openShelf({
  pages: [
    {
      url: 'https://n.example/chains',
      markdown:
        '# Chains\n\nA chain moves the wheels of a machine. It has many links.\n\n## chain.oil(can)\n\nOils it.\n',
    },
  ],
})
const search = (...passages: readonly [text: string, at: string][]) => {
  const found = passages.map(([passage, at]) => ({ passage, heading: at, url: `https://n.example/${at}`, score: 1 }))
  return async () => foundOf(...found)
}

test('joins the passages of one section to one point of at most three sentences', async () => {
  const found = search(
    ['Sprockets turn the wheel by their teeth. Sprockets of brass turn slowly.', 'wheels#sprockets'],
    ['Belts connect the wheels of a machine with each other.', 'wheels#belts'],
    ['Oil keeps sprockets quiet in winter. Sprockets without oil wear out soon.', 'wheels#sprockets'],
  )
  const points = await summarizeTopic({ library, search: found }, { topic: 'sprockets', scope: {} }, undefined)
  expect(points.map(({ url }) => url)).toEqual(['https://n.example/wheels#sprockets', 'https://n.example/wheels#belts'])
  expect(points[0]?.sentences).toHaveLength(3)
})

test('begins with the page about the topic, and ends with change notes', async () => {
  const found = search(
    ['The chain of old machines broke in every winter.', 'changelog#2'],
    ['Every chain needs a drop of oil in each winter.', 'wheels#oil'],
  )
  const points = await summarizeTopic({ library, search: found }, { topic: 'chains', scope: {} }, undefined)
  expect(points.map(({ url, names }) => [url, names])).toEqual([
    ['https://n.example/chains', ['chain.oil']],
    ['https://n.example/wheels#oil', []],
    ['https://n.example/changelog#2', []],
  ])
})

test('stands for sections about one thing each with their names', () => {
  const members = ['fill', 'heat', 'cool'].map((name) => `### kiln.${name}(value)\n\nIt does ${name} the kiln.\n`)
  const markdown = `# Kiln\n\nA kiln fires clay at a high heat.\n\n## Methods\n\n${members.join('\n')}\n## Care\n\nSweep the kiln every week, and oil its door.\n`
  const shelf = openShelf({ pages: [{ url: 'https://n.example/kiln', markdown }] })
  return shelf.call('summarize_content', { url: 'https://n.example/kiln' }).then(({ structured, text }) => {
    expect(structured.results.map(({ heading, sentences, names }: any) => [heading, sentences.length, names])).toEqual([
      ['', 1, undefined],
      ['Methods', 0, ['kiln.fill', 'kiln.heat', 'kiln.cool']],
      ['Care', 1, undefined],
    ])
    expect(text).toContain('Names: `kiln.fill`, `kiln.heat`, `kiln.cool`')
  })
})

test('names what an operation takes and returns, and its title if it has no sentence', async () => {
  const operation = (call: string, rest: string) => ({
    url: `https://a.example/openapi.json?docent-operation=${call.replace(' ', '+')}`,
    title: `Oil: ${call}`,
    markdown: `# Oil: ${call}\n\n\`${call.replace(' ', ' https://a.example')}\`\n\n${rest}`,
  })
  const table = (...names: string[]) =>
    `| Field | Type |\n| --- | --- |\n${names.map((name) => `| \`${name}\` | string |`).join('\n')}`
  const api = openShelf({
    type: 'api',
    pages: [
      operation('POST /oil', `## Request body\n\n${table('can')}\n\n## Responses\n\n### 400: Bad\n\n${table('error')}`),
      operation('GET /oil', 'Tags: Oil.'),
    ],
  })
  const { structured } = await api.call('summarize_content', { topic: 'oil' })
  expect(structured.results.map(({ title, sentences, names }: any) => [title, sentences, names]).toSorted()).toEqual([
    ['Oil: GET /oil', ['Oil: GET /oil'], undefined],
    ['Oil: POST /oil', [], ['can']],
  ])
})
