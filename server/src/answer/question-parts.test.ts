import { describe, expect, test } from 'vitest'
import { cpuSeconds } from '../../test/support/lib/cpu-seconds.ts'
import { definedTerm, questionParts } from './question-parts.ts'

describe('the parts of a comparison', () => {
  test.each([
    ['What is the difference between ref and reactive in Vue?', ['ref', 'reactive'], 'ref Vue'],
    ['ref vs. reactive', ['ref', 'reactive'], 'ref'],
    ['React: useEffect versus useLayoutEffect', ['useEffect', 'useLayoutEffect'], 'useEffect'],
    ['How does Hono differ from Express?', ['Hono', 'Express'], 'Hono'],
    ['Compare the KV store with Redis', ['KV store', 'Redis'], 'KV store'],
    ['What is the difference between app.use and app.get in Express?', ['app.use', 'app.get'], 'app.use'],
    ['Should I use a computed property or a watcher?', ['computed property', 'watcher'], 'computed property'],
    ['difference between the command ```set_a``` and ```set_b```?', ['set_a', 'set_b'], 'set_a'],
    ['props vs. state in React, and when should I use which?', ['props', 'state'], 'props React'],
    ['difference between ref and reactive', ['ref', 'reactive'], 'ref'],
    ['ref and reactive difference', ['ref', 'reactive'], 'ref'],
    ['ref or reactive?', ['ref', 'reactive'], 'ref'],
    ['How do ref and reactive differ?', ['ref', 'reactive'], 'ref'],
    ['How does ProxyPass compare to RewriteRule with the P flag?', ['ProxyPass', 'RewriteRule'], 'ProxyPass'],
    ['When should I use a list over a deque?', ['list', 'deque'], 'list'],
    ['Why would I use git rebase instead of git merge?', ['git rebase', 'git merge'], 'git rebase'],
    ['What distinguishes a tuple from a list?', ['tuple', 'list'], 'tuple'],
    ['Which one should I use, Popen or run?', ['Popen', 'run'], 'Popen'],
    ['Is `git fetch` the same as `git pull`?', ['git fetch', 'git pull'], 'git fetch'],
    ['differences of WAL and rollback journals in SQLite', ['WAL', 'rollback journals'], 'WAL SQLite'],
    ['Was ist der Unterschied zwischen Kladen und Taxa?', ['Kladen', 'Taxa'], null],
  ])('finds the two sides of the comparison %j', (question, sides, first) => {
    const parts = questionParts(question)
    expect(parts.map(({ side }) => side)).toEqual(sides)
    if (first !== null) expect(parts[0]?.question).toBe(first)
  })
})

describe('the parts of a question that asks for several things', () => {
  test('splits several questions into sentences', () => {
    expect(questionParts('What is a hook in Fastify? How can I test `onSend`?').map(({ label }) => label)).toEqual([
      'What is a hook in Fastify?',
      'How can I test `onSend`?',
    ])
  })

  test('splits several questions into clauses with a question word', () => {
    expect(questionParts('How do I install the tank and how do I set its pressure?').map(({ label }) => label)).toEqual(
      ['How do I install the tank?', 'How do I set its pressure?'],
    )
  })

  test('replaces a pronoun of a part by its noun', () => {
    const [, second] = questionParts('What does the test `test_swap_master` do? How can I run this test in parallel?')
    expect(second?.question).toBe('How can I run this test in parallel? `test_swap_master`')
    const [, clause] = questionParts('How do I install the tank and how do I set its pressure?')
    expect(clause?.question).toBe('how do I set its pressure? How do I install the tank')
  })
})

test.each([
  'How do I oil a sprocket?',
  'salt and pepper',
  'How do I use pnpm instead of npm?',
  'What is the difference?',
  'sink or swim in deep water',
  'How do I use the editor or the console?',
  'What are the differences between how cats and dogs handle cold weather?',
  'What are the two tutorials, and how do they differ?',
  'how can I stop the warning? When I run airflow dag',
  'Is it slow, and is it?',
  'Compare two files and report only that they differ (no details on what is different)',
  'How do tags improve the analysis of a contract compared to not using a role?',
  'A? B? C? D? E?',
  '',
])('leaves %j whole', (question) => expect(questionParts(question)).toEqual([]))

test('splits at most three questions, and reads long questions in linear time', () => {
  const ask = (count: number) =>
    Array.from({ length: count }, (_, at) => `How do I oil the tank number ${at}?`).join(' ')
  expect(questionParts(ask(3))).toHaveLength(3)
  expect(questionParts(ask(4))).toEqual([])
  const seconds = cpuSeconds(() => {
    for (const text of ['and how ', 'vs ', 'difference between ', 'a and ', 'compare ', '? '])
      questionParts(text.repeat(1_000))
  })
  expect(seconds).toBeLessThan(2)
})

test.each([
  ['What is a refspec?', 'refspec'],
  ['what is the GIL', 'GIL'],
  ["What's a generator expression?", 'generator expression'],
  ['What does the term MPM mean?', 'MPM'],
  ['What is meant by type affinity?', 'type affinity'],
  ['Define backlash.', 'backlash'],
  ['meaning of backlash', 'backlash'],
  ['Was sind Kladen?', 'Kladen'],
  ['What is new in 3.38?', null],
  ['What is the difference between a list and a tuple?', null],
  ['What is the best way to mount a volume?', null],
  ['What is the default port of the server?', null],
  ['What does this option do?', null],
  ['How do I define a tool?', null],
  ['', null],
])('reads the term whose definition %j asks for as %j', (question, term) => {
  expect(definedTerm(question)).toBe(term)
})
