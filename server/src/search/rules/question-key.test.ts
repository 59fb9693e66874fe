import { describe, expect, test } from 'vitest'
import { createQuestionKeys } from './question-key.ts'

const keyOf = createQuestionKeys()

describe('the key of a question', () => {
  test.each([
    ['How do I connect a client?', 'connect clients'],
    ['How do I connect a client?', 'What do I need for connecting my client'],
    ['How to install Docent', 'installing docent, please'],
    ['What does useRouter do?', 'what is userouter'],
    ['Wie verbinde ich den Client?', 'client verbinde'],
    ['What is it?', '  what   is IT? '],
    ['Convert CSV to JSON', 'How do I convert a CSV to a JSON?'],
    ['Can I not cache it', 'not caching'],
  ])('is the same for "%s" and "%s"', (one, other) => {
    expect(keyOf(other)).toBe(keyOf(one))
  })

  test.each([
    ['How do I connect a client?', 'How do I connect a client again?'],
    ['How do I connect a client?', 'How do I disconnect a client?'],
    ['Convert CSV to JSON', 'Convert JSON to CSV'],
    ['Migrate from npm to pnpm', 'Migrate from pnpm to npm'],
    ['Should I cache it?', 'Should I not cache it?'],
    ['Upgrade before the backup', 'Upgrade after the backup'],
    ['A class in C', 'A class in C++'],
    ['What is it?', 'What is this?'],
  ])('differs for "%s" and "%s"', (one, other) => {
    expect(keyOf(other)).not.toBe(keyOf(one))
  })
})
