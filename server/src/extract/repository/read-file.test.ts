import { expect, test } from 'vitest'
import { licenceDocument } from './read-file.ts'

const REDISTRIBUTION =
  'Redistribution and use in source and binary forms, with or without\nmodification, are permitted.\n'

test.each([
  ['BSD-2-Clause', REDISTRIBUTION],
  [
    'BSD-3-Clause',
    `${REDISTRIBUTION}\n* Neither the name of Acme Inc. nor the names of its\n  contributors may be used to endorse\n  or promote products.\n`,
  ],
  ['ISC', 'Permission to use, copy, modify, and/or distribute this software for any purpose\n'],
])('recognises %s by its words', (name, text) => {
  expect(licenceDocument('LICENSE', text).title).toBe(`Licence: ${name}`)
})

test('names an unknown licence by its file', () => {
  expect(licenceDocument('COPYING', 'Do as you like.\n').title).toBe('Licence (COPYING)')
})
