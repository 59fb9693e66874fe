import { expect, test } from 'vitest'
import type { DocentApi } from './docent-api.ts'
import { suggestQuestions, toQuestion } from './suggest-questions.ts'

test.each([
  ['How to add a plugin', 'How do I add a plugin?'],
  ['Configuring the proxy', 'How do I configure the proxy?'],
  ['Why is it slow?', 'Why is it slow?'],
  ['`defineConfig` options', 'What do I need to know about defineConfig options?'],
  ['The plugin API', 'What do I need to know about the plugin API?'],
  ['Getting Started', null],
  ['What makes a server private', 'What makes a server private?'],
  ['What a tool can do', 'What can a tool do?'],
  ['Where the index is', 'What do I need to know about where the index is?'],
  ['How rules apply', 'What do I need to know about how rules apply?'],
  ['How long is it kept', 'How long is it kept?'],
  ['Which tools read PDFs', 'Which tools read PDFs?'],
  ['Why', null],
  ['When it is worked on', null],
  ['Tools of a server', 'What do I need to know about tools of a server?'],
  ['The life of events', 'What do I need to know about the life of events?'],
  ['Connect a client', 'How do I connect a client?'],
  ['Create your first page', 'How do I create my first page?'],
  ['Add reading time', 'How do I add reading time?'],
  ['deno install --prod', null],
  ['Test runners', 'What do I need to know about test runners?'],
  ['☞ Pump settings', 'What do I need to know about pump settings?'],
  ['Local embedding models', 'What do I need to know about local embedding models?'],
  ['HTTP headers', 'What do I need to know about HTTP headers?'],
  ['Installation', null],
  ['4.2. Water tanks', 'What do I need to know about water tanks?'],
  ['(3) Why is it slow?', 'Why is it slow?'],
  ['CONFIGURATION VARIABLES', 'What do I need to know about configuration variables?'],
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
