import { expect, test } from 'vitest'
import { parametersIn, readSignature } from './read-parameters.ts'
import { markdownBlocks } from '../model/markdown-blocks.ts'
import { sectionsIn } from '../../../test/support/lib/sections-in.ts'
import { readReference, readTerms } from './read-reference.ts'

const code = (text: string) => `\`\`\`\n${text}\n\`\`\``

test('reads a Javadoc method with its definition lists', () => {
  const markdown = `### light\n\n${code('public Lamp light(int seconds, Rock rock) throws DarkException')}\n\nLights it, as in:\n\n${code('b.light(3);')}\n\n**Type Parameters:**\n: \`T\` - of what\n**Parameters:**\n: \`seconds\` - how long\n: \`rock\` - where\n**Returns:**\n: the lamp\n**Throws:**\n: \`DarkException\` - at night\n**See Also:**\n- \`put()\``
  expect(readReference({ markdown, sections: sectionsIn(markdown) }, 'light')).toEqual({
    signature: 'public Lamp light(int seconds, Rock rock) throws DarkException',
    description: 'Lights it, as in:',
    parameters: [
      { name: 'seconds', type: null, required: null, place: null, description: 'how long' },
      { name: 'rock', type: null, required: null, place: null, description: 'where' },
    ],
    returns: 'the lamp',
    errors: ['`DarkException` - at night'],
    example: { language: null, text: 'b.light(3);' },
  })
})

test('reads a Doxygen method with its typed parameter list', () => {
  const markdown = `### height()\n\n${code('int tide::Gauge::height(int unit) const')}\n\nTells it.\n\n**Parameters**\n- \`unit\` (in): of what\n**Exceptions**\n- \`Dry\`: at low tide\n**Returns**\n: the height`
  expect(readReference({ markdown, sections: sectionsIn(markdown) }, 'height')).toMatchObject({
    signature: 'int tide::Gauge::height(int unit) const',
    parameters: [{ name: 'unit', type: 'in', description: 'of what' }],
    returns: 'the height',
    errors: ['`Dry`: at low tide'],
  })
})

test('uses a declaration heading as the signature and as the fallback for parameters', () => {
  const markdown = `#### pub fn cut<R>(&mut self, range: R, at: usize) -> Pieces<'_, T> where R: Range,\n\nCuts.\n\n##### Panics\n\nWhere it is too short.\n\n##### Examples\n\n${code('rope.cut(1..2, 3);')}`
  expect(readReference({ markdown, sections: sectionsIn(markdown) }, 'cut')).toMatchObject({
    signature: "pub fn cut<R>(&mut self, range: R, at: usize) -> Pieces<'_, T> where R: Range,",
    description: 'Cuts.',
    parameters: [
      { name: 'range', type: 'R' },
      { name: 'at', type: 'usize' },
    ],
    returns: "Pieces<'_, T>",
    errors: ['Where it is too short.'],
    example: { text: 'rope.cut(1..2, 3);' },
  })
})

test('ignores the line above a title in the description', () => {
  const markdown = `Package org.tide\n\n# Class Gauge\n\n${code('public class Gauge')}\n\nTells how high it is.\n\n## Methods`
  expect(readReference({ markdown, sections: sectionsIn(markdown) }, 'Gauge')).toMatchObject({
    signature: 'public class Gauge',
    description: 'Tells how high it is.',
  })
})

test.each([
  [
    'QString &QString::append(const QChar *str, int len = -1)',
    {
      parameters: [
        ['str', 'const QChar *'],
        ['len', 'int', false],
      ],
      returns: 'QString &',
    },
  ],
  [
    '[static] QString QString::number(long n, int base = 10)',
    {
      parameters: [
        ['n', 'long'],
        ['base', 'int', false],
      ],
      returns: 'QString',
    },
  ],
  ['void Rope::sink()', { parameters: [], returns: null }],
  [
    'fn map<U, F>(self, f: F) -> Option<U> where F: FnOnce(T) -> U,',
    { parameters: [['f', 'F']], returns: 'Option<U>' },
  ],
  [
    'V merge(K key, BiFunction<? super V, ? super V> remap)',
    {
      parameters: [
        ['key', 'K'],
        ['remap', 'BiFunction<? super V, ? super V>'],
      ],
      returns: null,
    },
  ],
  [
    'use(path: string, handler?: Handler): Router',
    {
      parameters: [
        ['path', 'string'],
        ['handler', 'Handler', false],
      ],
      returns: null,
    },
  ],
  [
    'dump(obj, *, indent=None)',
    {
      parameters: [
        ['obj', null],
        ['indent', null, false],
      ],
      returns: null,
    },
  ],
  ['T &Rope::operator()(int at)', { parameters: [['at', 'int']], returns: 'T &' }],
])('reads the signature "%s"', (signature, { parameters, returns }) => {
  expect(readSignature(signature)).toEqual({
    parameters: parameters.map(([name, type, required = null]) => ({
      name,
      type,
      required,
      place: null,
      description: '',
    })),
    returns,
  })
})

test.each(['class Rope', 'f(a', 'a)'])('finds no signature in "%s"', (text) => {
  expect(readSignature(text)).toBeNull()
})

test('reads terms with their definitions, list items and continuation lines', () => {
  const text = '**One**\n: a\n  b\n: c\n**Two:**\n- d\n\ntext\n- no\n**Three**\ntext'
  expect(readTerms({ text, blocks: markdownBlocks(text) }).terms).toEqual([
    { term: 'One', items: ['a b', 'c'] },
    { term: 'Two', items: ['d'] },
  ])
})

test('reads the fields of an option below it, and no values', () => {
  const list =
    '- `path` {string} where\n- `options` {Object}\n  - `encoding` {string} **Default:** `null`\n    - `utf8`\n  - `signal` {AbortSignal} stops it\n- `mode` (string): one of\n  - `fast`\n  - `slow`'
  expect(parametersIn(list.split('\n')).map(({ name, type }) => [name, type])).toEqual([
    ['path', 'string'],
    ['options', 'Object'],
    ['options.encoding', 'string'],
    ['options.signal', 'AbortSignal'],
    ['mode', 'string'],
  ])
})
