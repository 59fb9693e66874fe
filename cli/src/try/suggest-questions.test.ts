import { expect, test } from 'vitest'
import type { DocentApi } from './docent-api.ts'
import { suggestQuestions, toQuestion } from './suggest-questions.ts'

test.each([
  ['How to add a plugin', 'How do I add a plugin?'],
  ['Configuring the proxy', 'How do I configure the proxy?'],
  ['Why is it slow?', 'Why is it slow?'],
  ['`defineConfig` options', 'How do defineConfig options work?'],
  ['The plugin API', 'How does the plugin API work?'],
  ['Getting Started', null],
  ['What makes a server private', 'What makes a server private?'],
  ['When it is worked on', null],
  ['Tools of a server', 'How do Tools of a server work?'],
  ['The life of events', 'How does the life of events work?'],
  ['Connect a client', 'How do I connect a client?'],
  ['Test runners', 'How do Test runners work?'],
  ['☞ Pump settings', 'How do Pump settings work?'],
  ['Installation', null],
  ['4.2. Water tanks', 'How do Water tanks work?'],
  ['(3) Why is it slow?', 'Why is it slow?'],
  ['CONFIGURATION VARIABLES', 'How do configuration variables work?'],
  ['tank.fill(litres, slowly=True)', null],
  ['-q, --quiet the pumps', null],
  ['fill(1) — Let water in', null],
  ['1.2.3', null],
  ['', null],
  ['A heading that goes on and on until nobody would ask for it in these very words', null],
])('turns the heading "%s" into %j', (heading, question) => {
  expect(toQuestion(heading)).toBe(question)
})

test('suggests only well-answered questions, best answers first', async () => {
  const confidence: Record<string, string> = {
    'How do I add a page?': 'medium',
    'How do I use hooks?': 'high',
    'How do I write tests?': 'low',
    'How do I run it?': 'high',
    'How do I deploy it?': 'high',
  }
  const headings = ['Adding a page', 'API › Using hooks', 'Writing tests', 'Running it', 'Deploying it', 'Running it']
  const api = {
    callTool: async (_: string, name: string, args: { question?: string }) =>
      name === 'search_docs'
        ? { passages: headings.map((heading) => ({ title: 'Guide', heading })) }
        : { lead: '', passages: [], notes: [`Confidence: ${confidence[args.question ?? '']}.`] },
  } as unknown as DocentApi
  const questions = await suggestQuestions(api, 'docs', new AbortController().signal)
  expect(questions).toEqual(['How do I use hooks?', 'How do I run it?', 'How do I deploy it?'])
})
