import { expect, test } from 'vitest'
import { fakePassage } from '../../test/support/mcp/mcp-fakes.ts'
import type { Passage } from '#search/passage.ts'
import { answerFromPassages } from './extractive.ts'

/** Simulates a search whose signals agree. */
const answerFrom = (question: string, passages: Passage[]) =>
  answerFromPassages(question, { passages, words: [], agreement: 0.6 })

test('quotes only the release in the question', () => {
  const release = (version: string, rank: number) =>
    fakePassage({
      rank,
      title: 'Changes',
      heading: version,
      url: `https://a.example/#${version}`,
      passage: `## ${version}\n\nSprockets of ${version} turn ${rank} times.`,
    })
  const { answer } = answerFrom('What changed for sprockets in 2.1.0?', [release('2.0.0', 1), release('2.1.0', 2)])
  expect(answer).toContain('turn 2 times')
  expect(answer).not.toContain('turn 1 times')
})

test.each([
  ['upload://zsh/zsh.pdf', 'upload://octave/octave.pdf'],
  ['https://docs.zsh.example/a', 'https://octave.example/b'],
  ['https://zsh.github.io/a', 'https://octave.github.io/b'],
  ['https://github.com/zsh/zsh/blob/a.md', 'https://github.com/octave/octave/b.md'],
])('quotes only the source named in the question: %s', (zsh, octave) => {
  const { answer } = answerFrom('How do I set a prompt in zsh?', [
    fakePassage({ url: octave, sourceId: 'src_octave', passage: 'To set a prompt, set PS1 in the prompt settings.' }),
    fakePassage({ url: zsh, sourceId: 'src_zsh', rank: 2, score: 3, passage: 'The prompt is set with PROMPT.' }),
  ])
  expect(answer).toContain('with PROMPT')
  expect(answer).not.toContain('PS1')
})

test('quotes only pages below the folder of the product named in the question', () => {
  const passage = (folder: string, rank: number) =>
    fakePassage({
      rank,
      score: 11 - rank,
      url: `https://docs.example/${folder}/proxy`,
      passage: `The proxy of ${folder} is set in its settings.`,
    })
  const found = [passage('octave', 1), passage('zsh', 2)]
  expect(answerFrom('How do I set the proxy in zsh?', found).answer).not.toContain('octave')
  expect(answerFrom('How do I set the proxy?', found).answer).toContain('octave')
  // The pages of a guide are not about guides.
  const [guide, api] = [passage('guide', 1), passage('api', 2)]
  expect(answerFrom('How does the api set the proxy?', [guide, api]).answer).toContain('of guide')
})
