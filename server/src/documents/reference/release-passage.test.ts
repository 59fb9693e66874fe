import { expect, test } from 'vitest'
import { askedRelease } from './asked-pages.ts'

test.each([
  ['What is new in 8.0?', '8.0'],
  ["What's new in PostgreSQL 15?", '15'],
  ['What changed in version 2.1 for sessions?', '2.1'],
  ['changes in v3.1.4', '3.1.4'],
  ['What did release 4 remove?', '4'],
  ['Show me the release notes of 1.2', '1.2'],
])('reads the release of %j', (question, version) => expect(askedRelease(question)?.text).toBe(version))

test.each([
  'What is new in the dashboard?',
  'How do I install version 2.1?',
  'What changed in 15 minutes?',
  'How do I change 3 settings at once?',
])('finds no release in %j', (question) => expect(askedRelease(question)).toBeNull())
