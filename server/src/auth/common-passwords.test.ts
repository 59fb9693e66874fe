import { expect, test } from 'vitest'
import { isCommonPassword } from './common-passwords.ts'

test.each(['1234567890', 'QWERTYUIOP', 'password123', 'aaaaaaaaaa', '1212121212', '1231231231'])(
  'refuses %s',
  (text) => {
    expect(isCommonPassword(text)).toBe(true)
  },
)

test.each(['correct horse battery', 'abcabcabcd', 'tr0ub4dor&3-and-more', ''.padEnd(10, 'äöüß')])(
  'takes %s',
  (text) => {
    expect(isCommonPassword(text)).toBe(false)
  },
)
