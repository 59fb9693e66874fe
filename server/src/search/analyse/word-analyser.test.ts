import { expect, test } from 'vitest'
import { createWordAnalyser, wordOrder } from './word-analyser.ts'

const analyse = createWordAnalyser('en')

test.each(['findById', 'find_by_id', 'findbyid', 'FIND_BY_ID', '_find_by_id'])('gives %s one term', (name) => {
  expect(analyse(name).term).toBe('findbyid')
})

test.each([
  ['borrow_as_ptr', ['borrow', 'as', 'ptr'], []],
  ['path.join', ['path', 'join'], []],
  ['os.path_exists', ['os', 'pathexist', 'path', 'exist'], []],
  ['app.useRouter', ['app', 'userout'], ['use', 'router']],
  ['useRouter', [], ['use', 'router']],
  ['x86_64', ['x86', '64'], []],
  ['10.15', [], []],
  ['1_000', [], ['000']],
])('gives %s the words %j and the parts %j', (name, joined, parts) => {
  expect(analyse(name)).toMatchObject({ joined, parts })
})

test.each([
  ['general', 'generator'],
  ['generator', 'generic'],
  ['community', 'communication'],
])('distinguishes %s from %s', (one, other) => {
  expect(analyse(one).term).not.toBe(analyse(other).term)
})

test.each([
  ['connect', 'connection'],
  ['execute', 'execution'],
  ['explicit', 'explicitly'],
])('gives %s and %s one term', (one, other) => {
  expect(analyse(one).term).toBe(analyse(other).term)
})

test('returns no words for a name of single letters', () => {
  expect(analyse('a.b')).toEqual({ term: 'a.b', joined: ['a', 'b'], words: [], parts: [] })
})

test('gives only the words of a name in word order', () => {
  expect(wordOrder(analyse('loop.run_once'))).toEqual(['loop', 'run', 'onc'])
})
