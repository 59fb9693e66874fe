import { expect, test } from 'vitest'
import { nameSymbols } from './analyse-query.ts'

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
