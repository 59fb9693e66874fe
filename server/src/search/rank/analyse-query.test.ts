import { expect, test } from 'vitest'
import { createWordAnalyser } from '#search/analyse/word-analyser.ts'
import { analyseQuery, nameSymbols } from './analyse-query.ts'

test.each([
  ["There should be no space before ','", ['comma']],
  ['move it behind the `=>`', ['arrow']],
  ['unexpected space before *', ['asterisk', 'star']],
  ["'{' or '}' expected", ['brace']],
  ['the literal notation {} is better', ['object']],
  ['How do I, then, ask: is this fine? (yes) .', []],
  ['what is a*b and f() in x => y', ['arrow']],
  ['', []],
])('names the symbols in "%s": %j', (text, names) => {
  expect(nameSymbols(text)).toEqual(names)
})

test.each([
  ['How do I back up the data?', ['backup']],
  ['log in and then sign out', ['login', 'signout']],
  ['where is it on disk', []],
  ['go up', ['goup']],
])('reads a verb with its particle as one word too: %s', (question, nouns) => {
  const words = analyseQuery(question, [createWordAnalyser('en')])
  expect(words.filter(({ added }) => added).map(({ raw }) => raw)).toEqual(nouns)
})
