import { expect, test } from 'vitest'
import { namesIn } from './names-in.ts'

test.each([
  ['What does work_mem do?', ['work_mem']],
  ['set core.editor, please.', ['core.editor']],
  ['when is useState called', ['usestate']],
  ['what is `Tank` for', ['tank']],
  ['what does --cone do', ['--cone']],
  ['Why is ALLOWED_HOSTS checked?', ['allowed_hosts']],
  ['what does Vec::drain do?', ['vec.drain']],
  ['does rope->cut() fail', ['rope.cut']],
  ['how do I sort a list. Or a tree?', []],
  ['a well-known e-mail', []],
  ['What is the difference between ref and reactive in Vue?', ['ref', 'reactive']],
  ['ref vs. reactive', ['ref', 'reactive']],
  ['salt and pepper', []],
])('finds in %j the names %j', (question, names) => expect([...namesIn(question)]).toEqual(names))
