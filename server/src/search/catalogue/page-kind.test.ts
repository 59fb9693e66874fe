import { expect, test } from 'vitest'
import {
  asksForNews,
  type PageKind,
  kindMask,
  kindsOf,
  declaresType,
  isGlossary,
  isOrdinaryValue,
} from './page-kind.ts'

test.each<[string, string, PageKind[]]>([
  ['https://github.com/o/r/issues/12', 'It crashes (Issue #12)', ['issue']],
  ['https://github.com/o/r/pull/13', 'Mend it (Pull request #13)', ['issue']],
  ['https://github.com/o/r/releases/tag/v1.0', 'Release v1.0: First', ['release']],
  ['https://github.com/o/r/blob/main/CHANGELOG.md', 'Changelog', ['changelog']],
  ['https://github.com/o/r/blob/main/packages/a/HISTORY.rst', 'HISTORY.rst', ['changelog']],
  ['https://x.example/docs/release-notes/2.1', '2.1', ['changelog']],
  ['https://x.example/changelog', 'What is new', ['changelog']],
  ['https://x.example/docs/changes.html', 'Changes', ['changelog']],
  ['https://x.example/docs/changes.html', 'Changes to your files', []],
  ['https://x.example/docs/changes.html', 'Important notes', ['changelog']],
  ['https://x.example/blog/announcing-5-1', 'Widgets 5.1 is out!', ['release']],
  ['https://x.example/blog/2024/12/05/widgets-19', 'Widgets v19', ['release']],
  ['https://x.example/guide/migration', 'Migration from v7', ['migration']],
  ['https://x.example/upgrade-to/v3', 'Upgrade to Widgets v3', ['migration']],
  ['https://x.example/guide/', 'Getting Started', ['start']],
  ['https://x.example/docs/installation', 'On your machine', ['start']],
  ['https://x.example/', 'Widgets', ['start']],
  ['https://x.example/api/history', 'History API', []],
  ['https://x.example/blog/released', 'How we release', []],
  ['https://x.example/issues/12', 'Known issues', []],
  ['https://x.example/news', 'News', []],
  ['https://x.example/o/r.git?docent-file=src/changelog/setup.ts', 'src/changelog/setup.ts', []],
  ['https://x.example/o/r.git?docent-file=README.md', 'Widgets', ['start']],
  ['https://github.com/o/r/blob/main/src/changelog/setup.ts', 'src/changelog/setup.ts', []],
])('determines the kinds of %s, "%s"', (url, title, kinds) => {
  expect(kindsOf({ url, title })).toBe(kindMask(kinds))
})

test.each([
  ['property hatch: str | None', true],
  ['static field hatch', true],
  ['method open(lid)', false],
  ['property hatch_name: str', false],
  ['property hatchName', false],
  ['hatch', false],
])('sees a value with an ordinary name in "%s": %s', (heading, is) => expect(isOrdinaryValue(heading)).toBe(is))

test.each([
  ['class machine.Hatch(name)', true],
  ['Interface Hatch', true],
  ['export abstract class Hatch', true],
  ['classes', false],
  ['Hatch class', false],
  ['How a class works', false],
])('sees a declared type in "%s": %s', (heading, is) => expect(declaresType(heading)).toBe(is))

test.each([
  ['A Kiln Glossary', true],
  ['Terminology', true],
  ['Terms of use', false],
])('sees a list of definitions in "%s": %s', (title, is) => expect(isGlossary(title)).toBe(is))

test.each([
  "What's new in version 5?",
  'Which release added the flag?',
  'changes since 2.x',
  'was the option deprecated',
  'Does it work with 3.11?',
  'how do I upgrade',
])('sees a question about news in "%s"', (question) => expect(asksForNews(question)).toBe(true))

test.each(['How do I change the password?', 'create a new user', 'git history', 'update a row', 'step 2 of the guide'])(
  'sees no question about news in "%s"',
  (question) => expect(asksForNews(question)).toBe(false),
)
