import { expect, test } from 'vitest'
import { fakePassage } from '../../test/support/mcp/mcp-fakes.ts'
import type { AnswerPiece } from './answer.ts'
import { streamAnswer } from './by-model.ts'
import { answerVerifier } from './verify-answer.ts'

const PASSAGES = [
  fakePassage({
    title: 'Oil',
    passage: 'Oil every sprocket twice a year.\n\n```sh\nsprocket oil\n\nsprocket wipe\n```',
  }),
  fakePassage({ title: 'Gears', passage: 'Gears are made of brass.', url: 'https://widgets.example/gears' }),
]

function open() {
  const pieces: AnswerPiece[] = []
  const stream = streamAnswer({
    verify: answerVerifier('How often do I oil a sprocket?', PASSAGES),
    passages: PASSAGES,
    confidence: 'medium',
    isUsable: ({ statements, dropped }) => statements.length > 0 && dropped <= statements.length,
    onPiece: (piece) => pieces.push(piece),
  })
  return { stream, pieces, said: () => pieces.map((piece) => (piece.kind === 'text' ? piece.text : '|')).join('') }
}

test('passes on whole paragraphs only, each once and with its new citations', () => {
  const { stream, pieces } = open()
  stream.write('Oil every sprocket twice')
  stream.write('Oil every sprocket twice a year [1].\n')
  expect(pieces).toEqual([])
  stream.write('Oil every sprocket twice a year [1].\n\nGears are')
  stream.write('Oil every sprocket twice a year [1].\n\nGears are made')
  expect(pieces).toEqual([
    {
      kind: 'text',
      text: 'Oil every sprocket twice a year [1].',
      citations: [expect.objectContaining({ n: 1, title: 'Oil' })],
    },
  ])
  stream.write('Oil every sprocket twice a year [1].\n\nGears are made of brass [2].\n\n')
  expect(pieces.slice(1)).toEqual([
    {
      kind: 'text',
      text: '\n\nGears are made of brass [2].',
      citations: [expect.objectContaining({ n: 2, title: 'Gears' })],
    },
  ])
})

test('does not cut code at its blank lines', () => {
  const { stream, said } = open()
  stream.write('Oil every sprocket twice a year [1].\n\n```sh\nsprocket oil\n\nsprocket')
  expect(said()).toBe('Oil every sprocket twice a year [1].')
  stream.write('Oil every sprocket twice a year [1].\n\n```sh\nsprocket oil\n\nsprocket wipe\n```\n\n')
  expect(said()).toContain('```sh\nsprocket oil\n\nsprocket wipe\n```')
})

test('passes on nothing while more is dropped than kept', () => {
  const { stream, pieces } = open()
  stream.write('Sprockets cost 9 dollars [1].\n\n')
  expect(pieces).toEqual([])
  stream.write('Sprockets cost 9 dollars [1].\n\nOil every sprocket twice a year [1].\n\n')
  expect(pieces).toHaveLength(1)
})

test('withdraws what it passed on, and begins again', () => {
  const { stream, said } = open()
  stream.restart()
  expect(said()).toBe('')
  stream.write('Oil every sprocket twice a year [1].\n\n')
  stream.restart()
  stream.write('Gears are made of brass [2].\n\n')
  expect(said()).toBe('Oil every sprocket twice a year [1].|Gears are made of brass [1].')
})
