import { expect, test } from 'vitest'
import { functionWordsOf } from './stop-words.ts'

const dropped = (question: string) => {
  const words = question.split(' ')
  const found = functionWordsOf(words)
  return words.filter((word) => found.has(word.toLowerCase()))
}

test.each([
  ['Welche Bank hat der Kurs', ['Welche', 'hat', 'der']],
  ['Comment installer le serveur', ['Comment', 'le']],
  ['Cuándo termina el plazo', ['Cuándo', 'el']],
  ['Come si installa il server', ['Come', 'si', 'il']],
  ['Como instalar o servidor', ['Como', 'o']],
  ['Hoe installeer ik de server', ['Hoe', 'ik', 'de']],
])('finds the function words of "%s"', (question, expected) => {
  expect(dropped(question)).toEqual(expected)
})

test.each(['how can a process die in the war', 'die cast', 'what was the man page of the server', ''])(
  'finds none in "%s"',
  (question) => {
    expect(dropped(question)).toEqual([])
  },
)
