import { expect, test } from 'vitest'
import { extractPage } from '../extract-page.ts'
import type { ExtractedPage } from '../extracted-page.ts'
import { findComponents } from './strip-jsx.ts'
import { stripMarkup } from './strip-markup.ts'
import { cpuSeconds } from '../../../test/support/lib/cpu-seconds.ts'
import { sampleOf } from '../../../test/support/lib/sample-of.ts'

test.each([
  ['Text <!-- seen by\n\nnobody --> goes on.', 'Text  goes on.'],
  ['A <b>bold</b> word, <br>a line and <kbd>Ctrl</kbd>.', 'A bold word,  a line and `Ctrl`.'],
  ['<script>alert(1)</script><STYLE>b{}</STYLE >After', 'After'],
  ['<iframe src="x"/>After <img src=x onerror="alert(1)">it', 'After it'],
  ['<h2 align="center">Title</h2>', '## Title'],
  ['A `Vec<b>` and ``<script>` `` stay.', 'A `Vec<b>` and ``<script>` `` stay.'],
  ['Before {/* seen by\n\nnobody */} after, `{/* x */}` and { /* a rest', 'Before  after, `{/* x */}` and { /* a rest'],
  ['import { Tabs } from \'@site/tabs\'\nimport Foo from "./foo.mdx";\n\nText', '\nText'],
  ["import {\n  Tabs,\n  Tab,\n} from '@site/tabs'\nText", 'Text'],
  ['export const meta = {\n  a: 1,\n}\n\nText', '\nText'],
  ['export default ({ children }) => <Layout>{children}</Layout>\n\nText', '\nText'],
  [
    'import the data from "Settings"\nexport default values, or\nimport it from here.',
    'import the data from "Settings"\nexport default values, or\nimport it from here.',
  ],
  ['export const title = "a"\nexport * from "./b"\n\nText', '\nText'],
  ['export default Layout;\n\nText', '\nText'],
  ['    import x from "y"', '    import x from "y"'],
  ['<Tabs>\n\nOne\n\n</Tabs>\n\nTwo', '\n\nOne\n\nTwo'],
  ['Press <Kbd>Ctrl</Kbd> or <Icon name="enter" /> now<Badge>new</Badge>.', 'Press `Ctrl` or  nownew.'],
  ['<Card title="Start" icon={<Foo a="b" />} href="/s">\nGo on.\n</Card>', '**Start**\n\nGo on.\n'],
  ['<Steps.Step label={"First"} onClick={() => { a > b }}>Do it.</Steps.Step>', '**First**\n\nDo it.'],
  ['<Tabs>\n  <Tab title="npm">\n\n    <Note>Run it.</Note>\n\n  </Tab>\n</Tabs>', '\n  **npm**\n\n    Run it.\n\n'],
  [
    'Use `<Card title="x">`, \\<Card title="x"> or a Map<Key, Value>.',
    'Use `<Card title="x">`, \\<Card title="x"> or a Map<Key, Value>.',
  ],
  ['Set <YourName> or <API_KEY>, and <Self as Trait>::N.', 'Set <YourName> or <API_KEY>, and <Self as Trait>::N.'],
  ['An <Unfinished title="x\n\nText', 'An <Unfinished title="x\n\nText'],
  ['Vec<T>, <Tabs>, a < b, <3 and <https://a.test/> stay.', 'Vec<T>, <Tabs>, a < b, <3 and <https://a.test/> stay.'],
  ['As in:\n\n    <script>x</script>\n    <b>\n\nEnd', 'As in:\n\n    <script>x</script>\n    <b>\n\nEnd'],
  ['An <!-- without end and <b without end', 'An <!-- without end and <b without end'],
  ['A ` alone and <b>bold</b>', 'A ` alone and bold'],
  ['[a](javascript:alert(1)) ![b](data:text/html,x) [c](/c) <vbscript:x>', 'a b [c](/c) vbscript:x'],
  ['[r]: javascript:alert(1)\n[s]: /s', '\n[s]: /s'],
])('strips the markup of %j', (prose, expected) => {
  expect(stripMarkup(prose)).toBe(expected)
})

test.each([
  ['Text <!-- seen by\n\nnobody --> and {/* gone */} goes on.', 'Text  and  goes on.'],
  ["Use {'yarn'}, it's {cond && <p>don't</p>}{`fine`}.", "Use yarn, it's fine."],
  ['# Deploy {version} \\{kept\\} `{kept}`', '# Deploy  \\{kept\\} `{kept}`'],
  ['Call <YourName> in <my-tabs><svg:path d="x"/>it</my-tabs><>.</>', 'Call  in it.'],
  ['<CardGroup><Card title="Start">Go on.</Card></CardGroup>', '**Start**\n\nGo on.'],
  [
    'See <https://a.test/> or <mailto:a@b.test>, if a < b or a <b.',
    'See <https://a.test/> or <mailto:a@b.test>, if a < b or a <b.',
  ],
  ['<style>{`b { c }`}</style>Text<br/>more', 'Text more'],
  ['<Code lang="sh" run={() => {\n\n  a > b\n}}>x</Code>', 'x'],
  ['An {unfinished and <Unfinished', 'An {unfinished and <Unfinished'],
])('strips the markup of MDX in %j', (prose, expected) => {
  expect(stripMarkup(prose, findComponents([prose], { isMdx: true }))).toBe(expected)
})

const UNCLOSED = [
  '<!--',
  '{/*',
  '{/* */',
  '<A {',
  '<A "',
  '<A a={<',
  '<A>',
  '</A>',
  'import {\n',
  'export {',
  'import a ',
  '<script>',
  '<b ',
  '`a``b',
  '[a](javascript:(',
  '`<b>`` ',
  '</td><td>',
  '{',
  "{'",
  '<a:',
  '<>',
]
test.each([
  ['markdown', 0],
  ['mdx', 1],
] as const)('takes linear time on unclosed markup of %s', (syntax, turn) => {
  for (const part of sampleOf(UNCLOSED, turn, 3)) {
    const text = part.repeat(1_000_000 / part.length)
    const components = findComponents([text], { isMdx: syntax === 'mdx' })
    expect(
      cpuSeconds(() => stripMarkup(text, components)),
      part,
    ).toBeLessThan(8)
  }
})

test('removes a component around a fence and leaves the fence unchanged', () => {
  const source =
    "---\ntitle: T\n---\nimport { Tabs } from 'x'\n\n<Tabs>\n\n```jsx\nimport { Tabs } from 'x'\n{/* kept */}\n<Tabs>\n```\n\n</Tabs>\n\n{/* gone */}\nEnd\n"
  expect(markdownOf('x.mdx', source)).toBe("```jsx\nimport { Tabs } from 'x'\n{/* kept */}\n<Tabs>\n```\n\nEnd")
})

test('leaves fences unchanged', () => {
  const source = '# T\n\n<div>\n\n```html\n<!-- kept -->\n<script>kept()</script>\n```\n\n</div>\n'
  expect(markdownOf('x.md', source)).toBe('# T\n\n```html\n<!-- kept -->\n<script>kept()</script>\n```')
})

function markdownOf(name: string, source: string): string {
  const bytes = new TextEncoder().encode(source)
  return (extractPage({ url: `http://a.test/${name}`, contentType: 'text/markdown', bytes }) as ExtractedPage).markdown
}
