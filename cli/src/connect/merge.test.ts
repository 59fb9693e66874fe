import { CLIENTS } from '@docent/contract/values/client-snippets'
import { parse as parseYaml } from 'yaml'
import { describe, expect, test } from 'vitest'
import { configPath } from './config-path.ts'
import { MergeError, mergeJson } from './merge-json.ts'
import { mergeToml, mergeYaml } from './merge-lines.ts'
import { showChange } from './show-change.ts'

const entry = { url: 'https://docs.example.org/api/mcp/my-docs' }
const json = (text: string) => mergeJson(text, { at: 'mcpServers', name: 'my-docs', entry })
const toml = (text: string) => mergeToml(text, { at: 'mcp_servers', name: 'my-docs', entry })
const yaml = (text: string) => mergeYaml(text, { at: 'extensions', name: 'my-docs', entry })

describe('a JSON configuration', () => {
  test.each([
    ['an empty file', '', `{\n  "mcpServers": {\n    "my-docs": {\n      "url": "${entry.url}"\n    }\n  }\n}\n`],
    [
      'other members and their order',
      '{\n    "b": 1,\n    "a": [1, 2]\n}\n',
      `{\n    "b": 1,\n    "a": [1, 2],\n    "mcpServers": {\n        "my-docs": {\n            "url": "${entry.url}"\n        }\n    }\n}\n`,
    ],
    [
      'comments and trailing commas',
      '{\n\t// Mine\n\t"mcpServers": {\n\t\t"other": { "command": "x" }, /* kept */\n\t},\n}',
      `{\n\t// Mine\n\t"mcpServers": {\n\t\t"other": { "command": "x" },\n\t\t"my-docs": {\n\t\t\t"url": "${entry.url}"\n\t\t}, /* kept */\n\t},\n}`,
    ],
    [
      'the place of an entry that it replaces',
      '{"mcpServers": {"my-docs": {"url": "old"}, "z": {}}}',
      `{"mcpServers": {"my-docs": {\n    "url": "${entry.url}"\n  }, "z": {}}}`,
    ],
    [
      'a comment in an empty object',
      '{\n  "mcpServers": {\n    // none yet\n  }\n}',
      `{\n  "mcpServers": {\n    // none yet\n    "my-docs": {\n      "url": "${entry.url}"\n    }\n  }\n}`,
    ],
  ])('keeps %s', (_, before, after) => {
    expect(json(before)).toBe(after)
    expect(json(after)).toBe(after)
  })

  test.each([
    ['a list', '[]', /not an object/],
    ['servers that are a list', '{"mcpServers": []}', /“mcpServers” is not an object/],
    ['an open string', '{"a": "b', /Line 1 is not JSON \(UnexpectedEndOfString\)/],
    ['an open comment', '{ /* }', /UnexpectedEndOfComment/],
    ['a missing comma', '{"a": 1 "b": 2}', /CommaExpected/],
    ['a second value', '{}\n{}', /Line 2 is not JSON \(EndOfFileExpected\)/],
    ['a word', '{"a": maybe}', /InvalidSymbol/],
    ['deep nesting', '['.repeat(100_000), /nested too deeply/],
  ])('refuses %s', (_, text, sentence) => {
    expect(() => json(text)).toThrow(sentence)
  })

  test('keeps all values that JSON has', () => {
    const value = { a: [1, -2.5e3, true, null, 'x"\\\n'], b: { c: {} }, d: [] }
    expect(JSON.parse(json(JSON.stringify(value, null, 3)))).toEqual({ ...value, mcpServers: { 'my-docs': entry } })
  })

  test('refuses long texts that are not JSON in linear time', () => {
    const spent = (text: string) => {
      const before = process.cpuUsage()
      expect(() => json(text)).toThrow(MergeError)
      return process.cpuUsage(before).user / 1_000
    }
    for (const part of ['[1,', '{"a":', '/* ', '"\\', '"a" ']) {
      expect(spent(`[${part.repeat(200_000)}`)).toBeLessThan(2_000)
    }
  })
})

describe('a TOML configuration', () => {
  const written = `[mcp_servers.my-docs]\nurl = "${entry.url}"`
  test.each([
    ['an empty file', '', `${written}\n`],
    [
      'other tables',
      'model = "x"\n\n[mcp_servers.a]\nurl = "y"\n',
      `model = "x"\n\n[mcp_servers.a]\nurl = "y"\n\n${written}\n`,
    ],
    [
      'the place of a table that it replaces, with those below it',
      '[mcp_servers."my-docs"]\nurl = "old"\n[mcp_servers.my-docs.env]\nA = "b"\n\n[tui]\ntheme = "dark"\n',
      `${written}\n\n[tui]\ntheme = "dark"\n`,
    ],
    [
      'a text that looks like a table',
      'notes = """\n[mcp_servers.my-docs]\n"""\n',
      `notes = """\n[mcp_servers.my-docs]\n"""\n\n${written}\n`,
    ],
  ])('keeps %s', (_, before, after) => {
    expect(toml(before)).toBe(after)
  })

  test.each([
    ['an inline table of servers', 'mcp_servers = { }'],
    ['a dotted name', 'mcp_servers.my-docs = { url = "x" }'],
    ['the server in a table of servers', '[mcp_servers]\nmy-docs = { url = "x" }'],
  ])('refuses %s', (_, text) => {
    expect(() => toml(text)).toThrow('cannot change safely')
  })
})

describe('a YAML configuration', () => {
  test.each([
    ['an empty file', ''],
    ['a file without servers', 'GOOSE_MODEL: x\n'],
    ['an empty mapping', 'extensions: {}\nafter: 1\n'],
    ['another indentation', 'extensions:\n    a:\n        enabled: true\n\n# About the end\nafter: 1\n'],
    [
      'an entry that it replaces',
      'extensions:\n  my-docs:\n    uri: old\n    envs:\n      A: b\n  z:\n    enabled: false\n',
    ],
    ['comments', '# top\nextensions: # mine\n  # first\n  a: {enabled: true}\n'],
  ])('keeps %s', (_, before) => {
    const after = yaml(before)
    const old = (parseYaml(before) ?? {}) as { extensions?: object }
    expect(parseYaml(after)).toEqual({ ...old, extensions: { ...old.extensions, 'my-docs': entry } })
    for (const comment of before.match(/#.*/g) ?? []) expect(after).toContain(comment)
    expect(yaml(after)).toBe(after)
  })

  test.each([
    ['a list', 'extensions:\n  - a\n'],
    ['a list without indentation', 'extensions:\n- a\n'],
    ['a mapping in braces', 'extensions: {a: {enabled: true}}\n'],
    ['an alias', 'extensions: *all\n'],
  ])('refuses %s', (_, text) => {
    expect(() => yaml(text)).toThrow('cannot change safely')
  })
})

test('shows the changed lines with a few around them', () => {
  const plain = { colors: { red: String, green: String } } as never
  expect(showChange('a\nb\nc\nd\ne\n', 'a\nb\nc\nx\ne\n', plain)).toBe('  b\n  c\n- d\n+ x\n  e\n')
  expect(showChange('', 'a\n', plain)).toBe('+ a\n')
  expect(showChange('a\na\n', 'a\na\na\n', plain)).toBe('  a\n  a\n+ a\n')
})

test('knows a file of at least twelve clients on each system', () => {
  const folders = { home: '/home/ada', config: '/home/ada/.config' }
  for (const platform of ['linux', 'darwin', 'win32'] as const) {
    const paths = CLIENTS.flatMap((client) => configPath(client.id, folders, platform) ?? [])
    expect(new Set(paths).size).toBeGreaterThanOrEqual(12)
    // Every client with a configuration format has a file, and vice versa.
    const formed = CLIENTS.filter(({ id, config }) => id !== 'other' && config !== undefined)
    expect(formed).toHaveLength(paths.length)
  }
  expect(configPath('vscode', folders, 'linux')).toBe('/home/ada/.config/Code/User/mcp.json')
  expect(configPath('vscode', folders, 'darwin')).toBe('/home/ada/Library/Application Support/Code/User/mcp.json')
})
