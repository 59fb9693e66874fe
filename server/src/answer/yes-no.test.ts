import { describe, expect, test } from 'vitest'
import { fakePassage } from '../../test/support/mcp/mcp-fakes.ts'
import { answerFromPassages } from './extractive.ts'
import { yesNoVerb } from './yes-no.ts'

const COLD = 'Does the sprocket support cold oil?'
const LONG = 'For new wheels we add better chains and speed improvements, and oil is required by the sprocket press.'

/** Simulates a search whose signals agree. */
const answerTo = (question: string, text: string) => {
  const passage = fakePassage({ title: 'Sprockets', heading: 'Oiling', passage: `## Oiling\n\n${text}` })
  return answerFromPassages(question, { passages: [passage], words: [], agreement: 0.6 }).answer
}

describe('a question for yes or no', () => {
  test.each([
    [COLD, 'does'],
    ['In Hono, is the router compiled at startup?', 'is'],
    ['I have a tank. Can it hold acid?', 'can'],
    ['How do I oil a sprocket?', null],
    ['Is it better to oil or to wipe the sprocket?', null],
    ['Can you tell me how to oil it?', null],
    ['Is there a way to oil it?', null],
    ['What is oil?', null],
  ])('recognises a question for yes or no in %j by its verb: %j', (question, verb) =>
    expect(yesNoVerb(question)).toBe(verb),
  )

  test.each([
    [COLD, 'A new sprocket supports cold oil.'],
    [COLD, 'Other things are said. It also costs more. Sprockets support cold oil.'],
    ['Is the left wheel oiled automatically?', 'The left wheel is oiled automatically.'],
    ['Must sprockets be wiped first?', 'Sprockets must be wiped first.'],
  ])('answers %j with yes from %j', (question, text) =>
    expect(answerTo(question, text)).toMatch(/^Yes\. The sources say:/),
  )

  test.each([
    [COLD, 'The sprocket does not support cold oil.'],
    ['Can the sprocket hold acid?', "A sprocket can't hold acid."],
    [COLD, 'The sprocket no longer supports cold oil.'],
  ])('answers %j with no from %j', (question, text) =>
    expect(answerTo(question, text)).toMatch(/^No\. The sources say:/),
  )

  test.each([
    ['a condition', COLD, 'The sprocket supports cold oil if it is new.'],
    ['a denial of something else', COLD, 'Presses with sprocket support do not expect cold oil.'],
    ['an exception', COLD, 'The sprocket supports cold oil except in winter.'],
    ['a possibility', COLD, 'The sprocket may support cold oil.'],
    ['a restriction', COLD, 'The sprocket supports only cold oil.'],
    ['a sentence that says much else', 'Is oil required by the sprocket?', LONG],
    ['a heading with the end of the question', 'Is a gear driven during Oiling?', 'Every winter the gear is driven.'],
    ['a question', COLD, COLD],
    ['a negation in the question', 'Does cold oil never freeze?', 'Cold oil never freezes.'],
    ['two negations', COLD, 'No sprocket does not support cold oil.'],
    ['a word that is missing', COLD, 'The sprocket supports oil.'],
    ['the roles exchanged', 'Does the sprocket oil the wheel?', 'The wheel oils the sprocket.'],
    ['another verb', 'Does the sprocket work with cold oil?', 'The sprocket and cold oil are sold here.'],
    ['a permission where a duty is asked', 'Must sprockets be oiled twice?', 'Sprockets are oiled twice.'],
    ['a duty where a fact is asked', 'Are sprockets oiled twice?', 'Sprockets must be oiled twice.'],
    ['a bound that the question has', 'Does every sprocket support cold oil?', 'A sprocket supports cold oil.'],
    ['a bound that only the sentence has', COLD, 'Not every sprocket supports cold oil.'],
  ])('answers neither yes nor no from %s', (_, question, text) =>
    expect(answerTo(question, text)).not.toMatch(/^(?:Yes|No)\b/),
  )

  test('says that the sources give no plain yes or no', () => {
    expect(answerTo(COLD, 'The sprocket supports cold oil if it is new.')).toMatch(
      /^The sources give no plain yes or no\. They say:/,
    )
  })

  test('quotes the sentence that decides first', () => {
    const text = 'Sprockets wear out early. A new sprocket supports cold oil. It costs more.'
    expect(answerTo(COLD, text)).toBe(
      'Yes. The sources say:\n\n## Oiling\n\nA new sprocket supports cold oil. It costs more. [1]',
    )
  })
})
