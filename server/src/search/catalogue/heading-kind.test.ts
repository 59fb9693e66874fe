import { expect, test } from 'vitest'
import { declaresType, isGlossary, isOrdinaryValue } from './heading-kind.ts'

test.each([
  ['property hatch: str | None', true],
  ['static field hatch', true],
  ['method open(lid)', false],
  ['property hatch_name: str', false],
  ['property hatchName', false],
  ['hatch', false],
])('sees a value with an ordinary name in "%s": %s', (heading, is) => expect(isOrdinaryValue(heading)).toBe(is))

test.each([
  ['class machine.Hatch(name)', true],
  ['Interface Hatch', true],
  ['export abstract class Hatch', true],
  ['classes', false],
  ['Hatch class', false],
  ['How a class works', false],
])('sees a declared type in "%s": %s', (heading, is) => expect(declaresType(heading)).toBe(is))

test.each([
  ['A Kiln Glossary', true],
  ['Terminology', true],
  ['Terms of use', false],
])('sees a list of definitions in "%s": %s', (title, is) => expect(isGlossary(title)).toBe(is))
