import { describe, expect, test } from 'vitest'
import { openShelf } from '../../../test/support/mcp/shelf.ts'

const filler = 'It is told at length here, so that it is a passage of its own and the next one begins anew. '.repeat(6)

describe('manual', () => {
  const long = 'All that there is to say of it. '.repeat(14)
  const manual = openShelf({
    pages: [
      {
        url: 'https://m.example/c3/fire',
        markdown: `# Heat a kiln\n\n\`\`\`\nint kiln_fire(kiln *k);\nint kiln_cool(kiln *k);\n\`\`\`\n\nHeats it with kiln_fire().`,
      },
      {
        url: 'https://m.example/guide',
        markdown: `# Guide\n\n\`\`\`\nreturn kiln_fire(k);\n\`\`\`\n\nkiln_fire kiln_fire kiln_fire.`,
      },
      {
        url: 'https://m.example/kiln-fire.1',
        title: 'kiln-fire(1) — Heat a kiln',
        markdown: `# kiln-fire(1)\n\n${long}\n\n## Options\n\n### -q, --quiet\n\n${long}\n\n### --cone <cone>\n\n${long}`,
      },
      {
        url: 'https://m.example/codes',
        markdown: `# Codes\n\n${long}\n\n## (5) KILN_BUSY\n\n${long}\n\n## SETTING kiln.cool_mode; SETTING kiln.cool_mode = mode\n\n${long}`,
      },
      {
        url: 'https://m.example/types',
        markdown: `# Types\n\n${long}\n\n## Shelf\n\n### get(key)\n\n${long}\n\n## Jars\n\n### Jar.get(key)\n\nLike Shelf.get. ${long}\n\n## mend(${'part, '.repeat(40)})\n\n${long}`,
      },
    ],
  })
  test.each([
    ['kiln_fire', 'exact', '', 'int kiln_fire(kiln *k);'],
    ['kiln_cool', 'exact', '', 'int kiln_cool(kiln *k);'],
    ['kiln fire --cone', 'part', 'Options › --cone <cone>', 'All that'],
    ['--quiet', 'exact', 'Options › -q, --quiet', 'All that'],
    ['kiln-fire', 'exact', '', 'All that'],
    ['KILN_BUSY', 'exact', '(5) KILN_BUSY', 'All that'],
    ['SETTING cool_mode', 'part', 'SETTING kiln.cool_mode; SETTING kiln.cool_mode = mode', 'All that'],
    ['Shelf.get', 'exact', 'Shelf › get(key)', 'All that'],
    ['mend', 'exact', expect.stringMatching(/^mend\(part/), 'All that'],
  ])('describes the manual entry %s', async (name, match, heading, text) => {
    const { structured, text: told } = await manual.call('find_api_reference', { name })
    expect(structured.match).toBe(match)
    expect(structured.results[0]).toMatchObject({ heading })
    expect(told).toContain(text)
  })
})

describe('entry of a manual without a heading', () => {
  const manual = openShelf({
    pages: [
      {
        url: 'https://w.example/manual',
        markdown: `# Manual\n\n## Options\n\n${filler}\n\n\`\`\`\n--num-tanks=<number> [default: 12]\n\`\`\`\n\nHow many tanks to fill. ${filler}\n\n## Limits\n\n| lid_limit | Use: main | Type: integer | Default: 5 |\n| --- | --- | --- | --- |\n\nHow many lids to open.\n\n| lid_size | Use: main | Type: integer | Default: 7 |\n| --- | --- | --- | --- |\n\nHow large they are.`,
      },
    ],
  })

  test.each([
    ['--num-tanks', 'How many tanks to fill.', 'default: 12'],
    ['lid_limit', 'How many lids to open.', 'Default: 5'],
  ])('finds an entry of a manual by its name: %s', async (name, description, value) => {
    const { text, structured } = await manual.call('find_api_reference', { name })
    expect(structured.match).toBe('exact')
    expect(structured.results[0].url).toMatch(/manual#(?:options|limits)$/)
    expect(text).toContain(description)
    expect(text).toContain(value)
    expect(text).not.toContain('How large they are.')
  })
})

test('prefers the option of the program named before it', async () => {
  const page = (program: string) => ({
    url: `https://w.example/${program}/cli`,
    markdown: `# Command line\n\n## Options\n\n| Option | Meaning |\n| --- | --- |\n| \`--host [host]\` | The host of ${program}. |\n| \`--port\` | The port. |`,
  })
  const shelf = openShelf({ pages: ['gear', 'cog', 'nut'].map(page) })
  for (const program of ['cog', 'nut', 'gear']) {
    const { structured, text } = await shelf.call('find_api_reference', { name: `${program} --host`, limit: 1 })
    expect(structured).toMatchObject({ match: 'exact', results: [{ url: `https://w.example/${program}/cli#options` }] })
    expect(text).toContain('Command line › Options › --host [host]')
    expect(text).not.toContain('--port')
  }
})

test('prefers a section that states the kind of a name to a guide that only mentions it', async () => {
  const manual = openShelf({
    pages: [
      {
        url: 'https://w.example/tuning',
        markdown: `# Tuning\n\n${filler}\n\n## LidLimit\n\nKeep LidLimit low. ${filler}`,
      },
      {
        url: 'https://w.example/core',
        markdown: `# Core\n\n${filler}\n\n## LidLimit Directive\n\nThe most lids that open at once. ${filler}\n\n## LidMode Directive\n\nHow lids open.`,
      },
    ],
  })
  const { structured } = await manual.call('find_api_reference', { name: 'LidLimit' })
  expect(structured.results[0]).toMatchObject({ heading: 'LidLimit Directive' })
})

test('finds a function by its declaration in a section with a prose heading', async () => {
  const manual = openShelf({
    pages: [
      {
        url: 'https://w.example/capi',
        markdown: `# C interface\n\n${filler}\n\n## Opening a lid\n\n\`\`\`c\nint lid_open(\n  lid *handle,\n  int flags\n);\nint lid_open_v2(lid *handle);\n\`\`\`\n\nOpens the lid. ${filler}\n\n## Closing a lid\n\nCall lid_open first. ${filler}\n\n\`\`\`c\nlid_open(handle, 0);\n\`\`\``,
      },
    ],
  })
  for (const name of ['lid_open', 'lid_open_v2', 'lid_open()']) {
    const { structured } = await manual.call('find_api_reference', { name })
    expect(structured).toMatchObject({ match: 'exact', results: [{ heading: 'Opening a lid' }] })
  }
})
