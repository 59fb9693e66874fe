import { describe, expect, test } from 'vitest'
import { isAfterwards, isInstruction } from './propose-questions.ts'
import { questionOfEntry, questionOfHeading, questionOfOpening, questionOfOperation } from './word-question.ts'

/** Sentences of a page. */
const TEXT =
  'You row, and hem a skirt. Use a Git clone of MkDocs. Errors occur, so handle errors and queues. See Grafana Loki, a theme and a cache. A Certificate Authority signs. It has protocol-specific filtering chains.'
const ENGLISH = { language: 'en', text: TEXT }

describe('a heading', () => {
  test.each([
    ['How to add a plugin', 'How do I add a plugin?'],
    ['Configuring the proxy', 'How do I configure the proxy?'],
    ['Connect a client', 'How do I connect a client?'],
    ['Create your first page', 'How do I create my first page?'],
    ['Add reading time', 'How do I add reading time?'],
    ['4.2. Using water tanks', 'How do I use water tanks?'],
    ['☞ Serving static files', 'How do I serve static files?'],
    ['Setting your editor up', 'How do I set my editor up?'],
    ['Getting Started', 'How do I get started?'],
    ['Creating and editing posts', 'How do I create and edit posts?'],
    ['Binding Parameters and Reusing Statements', 'How do I bind parameters and reuse statements?'],
    ['CONFIGURING VARIABLES', 'How do I configure variables?'],
    ['Building a Git Clone', 'How do I build a Git clone?'],
    ['Compiling and Enabling FTS3 and FTS4', 'How do I compile and enable FTS3 and FTS4?'],
    ['Moving From SQLite 3.4.2 to 3.5.0', 'How do I move from SQLite 3.4.2 to 3.5.0?'],
    ['Using Grafana Loki', 'How do I use Grafana Loki?'],
    ['Caching a page', 'How do I cache a page?'],
    ['Rowing the boat', 'How do I row the boat?'],
    ['Hemming a skirt', 'How do I hem a skirt?'],
    ['How routing works', 'How does routing work?'],
    ['How hooks work', 'How do hooks work?'],
    ['When to use hooks', 'When should I use hooks?'],
    ['Where are Queues Used?', 'Where are queues used?'],
    ['Is libcurl thread safe?', 'Is libcurl thread safe?'],
    ['Why not argparse?', 'Why not argparse?'],
    ['What does the tool do ?', 'What does the tool do?'],
    ['Publishing DNSKEY Records', 'How do I publish DNSKEY records?'],
    ['Configuring & Installing the Wrapper', 'How do I configure and install the wrapper?'],
    ['Loading Dynamically-Loaded Functions', 'How do I load dynamically-loaded functions?'],
    ['How do I perform task X?', 'How do I perform task X?'],
    ['Removing the MAX_PATH Limitation', 'How do I remove the MAX_PATH limitation?'],
    ['Using ON DELETE CASCADE', 'How do I use ON DELETE CASCADE?'],
    ['Setting Up a Certificate Authority (CA)', 'How do I set up a Certificate Authority (CA)?'],
    ['Where Can I Get Support?', 'Where can I get support?'],
    ['Where to find the sources', 'Where can I find the sources?'],
    ['Where to put hooks', 'Where should I put hooks?'],
    ['1.1 What is Grafana', 'What is Grafana?'],
    ['Testing Grafana', 'How do I test Grafana?'],
    ['Use Grafana with Loki', 'How do I use Grafana with Loki?'],
    ['Buy a gift card', 'How do I buy a gift card?'],
  ])('%s becomes the question %s', (heading, question) => {
    expect(questionOfHeading(heading, ENGLISH)).toBe(question)
  })

  test.each([
    // A gerund of no verb on its page, and names of things.
    'Oiling a chain',
    'Test runners',
    'Read and write ordering',
    'Generate arguments',
    'What is kept',
    'What is said, and what is refused',
    'Set Operations',
    'List Views',
    'Loading indicator',
    'Loading order of your plugins',
    'Building blocks',
    'Error handling',
    'Handling of slashes',
    'Import and export of files',
    'Filtering chains',
    'Filtering chain priorities',
    'Defining (saving) a file',
    'ADD table_constraint',
    'configure Complains About a Test',
    'The plugin API',
    // Labels without a verb, and what only its page explains.
    'Why environment variables?',
    'How it works',
    'What to do next',
    'Why is it slow?',
    'How do I fix this?',
    'How does our website work?',
    'Why do we need hooks?',
    // Questions to the reader.
    'Need more help?',
    'Do you have questions?',
    // Code, and headings that are too short or too long.
    'tank.fill(litres, slowly=True)',
    'Use it',
    'How to write a heading that goes on and on until nobody would ask for it in these very words again',
    '',
  ])('%s becomes no question', (heading) => {
    expect(questionOfHeading(heading, ENGLISH)).toBeNull()
  })

  test('that is the name of a thing in the sentences of its page becomes no question', () => {
    const text = 'We host on Read the Docs since spring.'
    expect(questionOfHeading('Read the Docs', { language: 'en', text })).toBeNull()
    expect(questionOfHeading('Read the Docs', ENGLISH)).toBe('How do I read the docs?')
  })

  test.each([
    ['de', 'Wie installiere ich das Paket?', 'Wie installiere ich das Paket?'],
    ['de', 'Installation des Pakets', null],
    ['de', 'Getting started', null],
    ['ja', 'なぜ遅いのですか？', 'なぜ遅いのですか？'],
    ['ja', '設定', null],
    ['fr', 'Quoi ?', null],
  ])('in %s, %s, gives %s', (language, heading, question) => {
    expect(questionOfHeading(heading, { language, text: '' })).toBe(question)
  })
})

describe('the first sentence of a section', () => {
  test.each([
    ['To enable WAL mode, use the following pragma:', 'WAL', 'How do I enable WAL mode?'],
    ['To use your own parser, you can pass it.', 'Parsers', 'How do I use my own parser?'],
    ['A virtual table is an object that is registered.', 'Virtual tables', 'What is a virtual table?'],
    ['Queues are a mechanism to run code.', 'Queues', 'What are queues?'],
    ['SQLite is a C library.', 'SQLite', 'What is SQLite?'],
  ])('%s below %s becomes the question %s', (sentence, heading, question) => {
    expect(questionOfOpening(sentence, heading, ENGLISH)).toBe(question)
  })

  test.each([
    ['To install foo, bar and baz, run the script.', 'Installation'],
    ['To build BIND 9, the following packages must be installed:', 'Required libraries'],
    ['To do this, run the script.', 'Installation'],
    ['To be or not, that is the question.', 'Hamlet'],
    ['SQLite is a C library.', 'About'],
    ['The header is a part of the file.', 'Header'],
    ['Tables are often large.', 'Tables'],
  ])('%s below %s becomes no question', (sentence, heading) => {
    expect(questionOfOpening(sentence, heading, ENGLISH)).toBeNull()
  })

  test('in another language becomes no question', () => {
    expect(questionOfOpening('To enable WAL mode, use it.', 'WAL', { language: 'de', text: '' })).toBeNull()
  })
})

test.each([
  ['option', '--omit', 'What does the --omit option do?'],
  ['command', 'git-config', 'What does git-config do?'],
  ['setting', 'queue.filename', 'What is queue.filename?'],
  ['setting', 'site_name', 'What is site_name?'],
  ['setting', 'name', null],
  ['setting', 'hello.py', null],
  ['setting', 'module.Class', null],
  ['setting', 'a.b.c', null],
  ['option', 'two words', null],
  ['option', '-', null],
] as const)('asks about the %s %s: %s', (kind, name, question) => {
  expect(questionOfEntry(kind, name)).toBe(question)
})

test.each([
  ['Create an assistant with a model: POST /assistants', 'How do I create an assistant with a model?'],
  ['Retrieves an assistant: GET /assistants/{assistant_id}', 'How do I retrieve an assistant?'],
  ['Modifies a thread: POST /threads/{id}', 'How do I modify a thread?'],
  ['Matches a prompt: POST /prompts', 'How do I match a prompt?'],
  ['Creates and executes a batch: POST /batches', 'How do I create and execute a batch?'],
  ['List all trees: GET /trees', 'How do I list all trees?'],
  ['GET /trees', null],
  ['Trees: GET /trees', null],
  ['Returns nothing about this: GET /trees', null],
  ['Create a tree', null],
])('the operation %s becomes the question %s', (title, question) => {
  expect(questionOfOperation(title)).toBe(question)
})

test('takes linear time on long headings and sentences', () => {
  const long = ['a', 'To use ', '. ', '? ', ' and', 'A is '].map((part) => part.repeat(200_000 / part.length))
  const before = process.cpuUsage()
  for (const text of long) {
    questionOfHeading(`Using ${text}`, { language: 'en', text })
    questionOfHeading(`${text}?`, { language: 'de', text })
    questionOfOpening(text, text, { language: 'en', text })
  }
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1_000_000).toBeLessThan(10)
})

test.each([
  [true, 'You clean the guard with a brush.'],
  [true, 'Run the installer.'],
  [true, 'It is easy:\n\n1. Open the file.\n2. Close it.'],
  [true, 'To oil a sprocket, wipe it dry first.'],
  [true, 'The limit can be changed by a setting.'],
  [false, 'This document explains how you can install it.'],
  [false, 'We keep you posted.'],
  [false, 'We are moving your project to another host.'],
  [false, 'This is where we walk you through the details.'],
  [false, 'The scheduler handles objects that are missing.'],
  [false, ''],
])('says %s: it tells its reader what to do: %s', (does, text) => {
  expect(isInstruction(text)).toBe(does)
})

test.each([
  [true, 'If you change the rules in your configuration, delete the old data.'],
  [true, 'When you change rules, restart it.'],
  [false, 'If the rules are bad, change them.'],
  [false, 'To change rules, edit the file.'],
])('says %s: a section that begins so tells what follows a change: %s', (does, text) => {
  expect(isAfterwards('How do I change rules?', text)).toBe(does)
})
