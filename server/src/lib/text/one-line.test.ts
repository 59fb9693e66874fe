import { expect, test } from 'vitest'
import { visible } from './one-line.ts'

test('removes every default-ignorable code point but joiners and the selector of emoji', () => {
  const hidden = ['\u00ad', '\u034f', '\u115f', '\u17b4', '\u180e', '\u200b', '\u202e', '\u2061', '\u3164', '\ufe00']
  for (const code of [...hidden, '\ufeff', '\uffa0', '\u{1d173}', '\u{e0041}', '\u{e0101}', '\u{e0fff}'])
    expect([code.codePointAt(0), visible(`a${code}é`)]).toEqual([code.codePointAt(0), 'aé'])
  expect(visible('नमस्\u200dते 📄\ufe0f')).toBe('नमस्\u200dते 📄\ufe0f')
})
