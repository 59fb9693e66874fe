import { describe, expect, test } from 'vitest'
import { openShelf } from '../../../test/support/mcp/shelf.ts'

const BASE = 'https://a.example/openapi.json?docent-operation='
const operation = (said: string, method: string, path: string, more = '') => ({
  url: `${BASE}${method}+${path}`,
  markdown: `# ${said}: ${method} ${path}\n\n\`${method} https://api.example${path}\`\n\n${more}\n\n## Responses\n\n### 200\n\nIt worked.\n`,
})
const OPERATIONS = [
  operation('List users', 'GET', '/users', 'Every user of the account.'),
  operation('Create a user', 'POST', '/users', 'The user gets an e-mail.'),
  operation('Create a token for a user', 'POST', '/users/{id}/tokens', 'Users may have ten tokens. Create as many.'),
  operation('Get a user', 'GET', '/users/{id}'),
  operation('Update a user', 'PATCH', '/users/{id}'),
  operation('Delete a user', 'DELETE', '/users/{id}', 'A user that is deleted is gone.'),
]
const guide = {
  url: 'https://docs.example/guide/users',
  markdown:
    '# Users\n\nTo create a user, open the console and press Create user. How you create a user matters little: a user that you create can sign in at once.\n\n## Delete a user\n\nOpen the user and press Delete.\n',
}
const docs = {
  type: 'docs',
  pages: [guide, { url: 'https://docs.example/other', markdown: '# Other\n\nOther things.' }],
} as const
const withApi = openShelf(docs, { type: 'api', pages: OPERATIONS })
const uploaded = openShelf({ type: 'docs', pages: [...docs.pages, ...OPERATIONS] })

describe.each([
  ['a separate description', withApi],
  ['other uploaded files', uploaded],
])('question about an operation in %s', (_, shelf) => {
  test.each([
    ['How do I create a user?', 'POST', '/users'],
    ['how to add users via the API', 'POST', '/users'],
    ['how do I delete a user', 'DELETE', '/users/{id}'],
    ['list all users', 'GET', '/users'],
    ['How can I change a user?', 'PATCH', '/users/{id}'],
  ])('answers with the endpoint first: %s', async (question, method, path) => {
    const { text, structured } = await shelf.call('ask_question', { question })
    expect(structured.citations[0].url.split('#')[0]).toBe(`${BASE}${method}+${path}`)
    expect(structured.citations[0].title).toMatch(new RegExp(`: ${method} /users`))
    expect(text.slice(0, 200)).toContain(`${method} https://api.example${path}`)
    expect(structured.confidence).toMatch(/medium|high/)
  })

  test.each(['What is a user?', 'How do I create a sprocket?', 'Where do I press Create?'])(
    'does not answer with an endpoint: %s',
    async (question) => {
      const { structured } = await shelf.call('ask_question', { question })
      expect(structured.answer).not.toMatch(/^.{0,10}(?:POST|GET|PATCH|DELETE) /)
    },
  )
})

describe('operation', () => {
  const row = (name: string, required: boolean, text: string) =>
    `| \`${name}\` | string | ${required ? 'yes' : ''} | ${text} |`
  const fields = (count: number, text: string) =>
    Array.from({ length: count }, (_, at) =>
      row(`${text}${at}`, false, `An optional ${text}, which may be left out of the request, and is grey then.`),
    )
  const page = (rows: readonly string[]) =>
    `# Create a tram: POST /trams\n\n\`POST https://api.example/trams\`\n\nOperation: \`trams.create\`.\n\nTags: trams, depot.\n\nIt starts at the depot.\n\n## Parameters\n\n| Name | In | Type | Required | Description |\n| --- | --- | --- | --- | --- |\n| \`depot\` | query | string | yes | Where. |\n\n## Request body\n\nRequired.\n\n| Field | Type | Required | Description |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n\n\`\`\`json\n{ "line": "body" }\n\`\`\`\n\n## Responses\n\n### 201: The new tram\n\n| Field | Type | Required | Description |\n| --- | --- | --- | --- |\n| \`number\` | integer |  | Its number. |\n\n## Sample request\n\n\`\`\`sh\ncurl -X POST https://api.example/trams\n\`\`\`\n`
  const filler = { url: 'https://docs.example/other', markdown: '# Other\n\nOther things.' }
  const answer = async (rows: readonly string[], question: string) => {
    const shelf = openShelf({ type: 'api', pages: [{ url: `${BASE}POST+/trams`, markdown: page(rows) }, filler] })
    return (await shelf.call('ask_question', { question })).structured.answer as string
  }
  const line = row('line', true, 'Its line.')

  test.each(['How do I create a tram?', 'What does POST /trams do?', 'Explain POST https://api.example/trams.'])(
    'answers with the call, its parameters and a sample: %s',
    async (question) => {
      const said = await answer([line], question)
      expect(said).toMatch(
        /^`POST https:\/\/api\.example\/trams`\n\nIt starts at the depot[^]*## Parameters[^]*`depot`[^]*## Request body[^]*`line`[^]*## Sample request\n\n```sh\ncurl/,
      )
      expect(said).not.toMatch(/Operation:|Tags:|Responses|"body"/)
    },
  )

  test('shows the fields of the first media type alone', async () => {
    const form = `\`application/x-www-form-urlencoded\`: Tram\n\n| Field | Type | Required | Description |\n| --- | --- | --- | --- |\n${row('track', true, 'Its track.')}`
    const said = await answer([line, `\n${form}`], 'How do I create a tram?')
    expect(said).toContain('`line`')
    expect(said).not.toContain('`track`')
  })

  test.each(['What does POST /trams return?', 'What does creating a tram return?'])(
    'answers with what a call returns: %s',
    async (question) => {
      const said = await answer([line], question)
      expect(said).toContain('### 201: The new tram\n\n| Field')
      expect(said).not.toMatch(/## Parameters|curl/)
    },
  )

  test('shows required parameters before optional ones if not all fit', async () => {
    const rows = [...fields(20, 'colour'), row('owner.name', true, 'Of the owner.'), line]
    const said = await answer(rows, 'How do I create a tram?')
    expect(said).toMatch(/`colour0`[^]*`line` \| string \| yes/)
    expect(said).not.toMatch(/`colour19`|owner/)
    expect(said).toContain('curl -X POST')
    expect(said.length).toBeLessThan(1_250)
  })

  test('does not answer a question about a part of a call with the call alone', async () => {
    expect(await answer([line], 'Which colours of lamps does POST /trams know?')).toMatch(/^# Create a tram/)
  })
})

test.each([
  ['What is the default of lid_limit?', 'Default: 50M'],
  ['What does --num-tanks do?', 'The number of tanks to fill.'],
])('answers with the entry of a setting that has no heading: %s', async (question, expected) => {
  const prose = 'The lid_limit and --num-tanks are often set together, and both have a default. '.repeat(12)
  const shelf = openShelf({
    pages: [
      {
        url: 'https://w.example/manual',
        markdown: `# Manual\n\n## Use\n\n${prose}\n\n## Options\n\nAll of them.\n\n\`\`\`\n--num-tanks=<number> [default: 12]\n\`\`\`\n\nThe number of tanks to fill.\n\n## Limits\n\n| lid_limit | Use: main | Default: 50M |\n| --- | --- | --- |\n\nThe most lids.`,
      },
    ],
  })
  const { structured } = await shelf.call('ask_question', { question })
  expect(structured.answer).toContain(expected)
  expect(structured.answer.indexOf(expected)).toBeLessThan(120)
  expect(structured.citations[0].url).toMatch(/manual#(?:options|limits)$/)
})

test('quotes the part of the best section that answers, and its beginning if that does', async () => {
  const filler = (word: string) => `The ${word} is checked by hand once a year before winter comes. `.repeat(17).trim()
  const shelf = openShelf({
    pages: [
      {
        url: 'https://w.example/lid',
        markdown: `# Machine\n\n## Lid mode\n\nThe lid mode decides when the lid opens.\n\n${filler('hinge')}\n\nWith the value shut, the lid stays closed during rain.\n\n${filler('seal')}\n\n## Other lids\n\nThe lid mode of the old machine has no value shut.`,
      },
    ],
  })
  const { structured } = await shelf.call('ask_question', { question: 'Which lid mode keeps it closed during rain?' })
  expect(structured.citations[0].url).toBe('https://w.example/lid#lid-mode')
  const found = await shelf.call('search_docs', { query: 'Which lid mode keeps it closed during rain?', limit: 1 })
  const start = await shelf.call('ask_question', { question: 'What is the lid mode?' })
  expect(found.structured.results[0].passage).toContain('during rain')
  expect(found.structured.results[0].passage).not.toContain('decides when')
  expect(structured.answer).toContain('closed during rain')
  expect(start.structured.answer).toContain('decides when the lid opens')
  expect(start.structured.answer).toMatch(/^## Lid mode\n\nThe lid mode decides/)
})

describe('subject with a page about it', () => {
  const members = (name: string) =>
    ['isFull', 'close()', 'size'].map(
      (member) => `### ${name}.${member}\n\nThe ${name} of this ${name}. ${name} ${name}.`,
    )
  const filler = 'It is opened with care, and closed by whoever opened it. '.repeat(10)
  const page = (name: string, definition: string) => ({
    url: `https://w.example/${name}`,
    markdown: `# ${name}\n\n${definition} ${filler}\n\n## Class: ${name}\n\n${members(name.toLowerCase()).join('\n\n')}`,
  })
  const shelf = openShelf({
    pages: [
      page('Tank', 'Holds the water of one machine.'),
      page('Basin', 'Joins the water of several machines.'),
      page('TankStats', 'Counts what happened.'),
      {
        url: 'https://w.example/pumpctl.1',
        markdown: `# pumpctl - pump things\n\n## Synopsis\n\n\`\`\`\npumpctl [-q] [--dry] PUMP\n\`\`\`\n\n## Description\n\nMoves water. ${filler}\n\n## Examples\n\n${'Try pumpctl and pumpctl again, as pumpctl does. '.repeat(12)}`,
      },
      {
        url: 'https://w.example/settings',
        markdown: `# Settings\n\n## Old float_level\n\nfloat_level float_level is told of here. ${filler}\n\n## float_level (default: 3)\n\nStops the water there. ${filler}`,
      },
      { url: 'https://w.example/stats', markdown: '# Stats\n\n## new TankStats(tank)\n\nA tank is read. Tank, tank.' },
    ],
  })
  const ask = async (question: string) => (await shelf.call('ask_question', { question })).structured

  test.each(['What is a Tank?', 'what does Tank mean?', 'Define tank'])(
    'is defined from that page: %s',
    async (question) => {
      const { answer, citations } = await ask(question)
      expect(answer).toMatch(/^# Tank\n\nHolds the water of one machine/)
      expect(citations[0].url.replace('#tank', '')).toBe('https://w.example/Tank')
    },
  )

  test.each(['What is pumpctl?', 'What does the pumpctl command do?'])(
    'is described by the description of its manual page: %s',
    async (question) => {
      const { answer, citations } = await ask(question)
      expect(answer).toMatch(/^## Description\n\nMoves water/)
      expect(citations[0].url).toMatch(/pumpctl/)
    },
  )

  test('is defined from the section about it if there is no page', async () => {
    expect((await ask('What is float_level?')).answer).toMatch(/^## float_level \(default: 3\)\n\nStops the water/)
  })

  test('is compared with another one from their pages', async () => {
    const { answer } = await ask('What is the difference between Tank and Basin?')
    expect(answer).toMatch(/^\*\*Tank\*\*[^]*Holds the water of one[^]*\*\*Basin\*\*[^]*Joins the water of several/)
    expect(answer).not.toContain('new TankStats')
  })
})

describe('ask_question', () => {
  const filler = (word: string) => `Each ${word} is opened with care, and closed by whoever opened it. `.repeat(8)
  const page = (name: string, markdown: string) => ({ url: `https://w.example/${name}`, markdown })
  const shelf = openShelf({
    pages: [
      page(
        'api',
        `# API\n\n## Machine\n\n### property hatch: str | None\n\nThe name of the hatch, or None without a hatch.\n\n### class machine.Hatch(name, width)\n\nRepresents an opening. ${filler('part')}\n\n### Setup.hatch\n\nA reference to the hatch that made this hatch setup.\n\n### machine.tools.oil(*parts)\n\nMakes parts slide. ${filler('part')}`,
      ),
      page('oil-colour', `# OIL_COLOUR\n\nThe colour of oil. Oil oil. ${filler('oil')}`),
      page(
        'hatches',
        `# Modular machines with hatches\n\n## Why a hatch?\n\nA hatch is built for hatch people. ${filler('hatch')}`,
      ),
      page(
        'context',
        `# The Rolling Context\n\nKeeps what one roll needs. ${filler('roll')}\n\n## Lifetime\n\nThe rolling context ends.`,
      ),
      page(
        'cli',
        `# Commands\n\n## Rolling context\n\nThe rolling context of commands is the rolling context. ${filler('roll')}`,
      ),
      page(
        'gaskets',
        `# Gaskets\n\nKeep water inside. ${filler('gasket')}\n\n## Using gaskets\n\nA gasket is a gasket: use a gasket so.`,
      ),
      page('lid', `# Lid\n\nCovers a pot. ${filler('lid')}\n\n## Using lids\n\nLids are lids: use lids so.`),
      page('fire', `# kiln fire\n\n## Description\n\nHeats the clay. ${filler('kiln')}`),
      page('changes', `# Changes\n\nCool, fire, cool and fire changed. ${filler('fire')}`),
      page('cool', `# kiln cool\n\n## Description\n\nLets the clay rest. ${filler('kiln')}`),
    ],
  })
  const ask = async (question: string) => (await shelf.call('ask_question', { question })).structured.answer

  test.each([
    ['a type instead of its members', 'What is a hatch?', /^### class machine\.Hatch[^\n]*\n\nRepresents an opening/],
    ['a qualified function', 'What does oil do?', /^### machine\.tools\.oil[^\n]*\n\nMakes parts slide/],
    ['a title with an article', 'What is the rolling context?', /^# The Rolling Context\n\nKeeps what one roll/],
    ['a title in the plural', 'What is a gasket?', /^# Gaskets\n\nKeep water inside/],
    ['a title in the singular', 'What are lids?', /^# Lid\n\nCovers a pot/],
    ['a command of a program', 'What does fire do?', /^## Description\n\nHeats the clay/],
  ])('describes a subject by %s', async (_, question, answer) => expect(await ask(question)).toMatch(answer))

  test('compares two commands of a program by their own pages', async () => {
    expect(await ask('What is the difference between fire and cool?')).toMatch(/Heats the clay[^]*Lets the clay rest/)
  })

  test('compares two things by their own pages or glossary entries rather than by a sentence with both', async () => {
    const both = `## Sieving rinses\n\nIn contrast to a plain pan sieve, a pan rinse can sieve too, and sieve or rinse again.`
    const { call } = openShelf({
      pages: [
        page(
          'pan-rinse',
          `# pan-rinse(1) — Wash the sand\n\n## Description\n\nMoves water over the sand. ${filler('pan')}`,
        ),
        page(
          'pan-sieve',
          `# pan-sieve(1) — Part the sand\n\n## Description\n\nParts sand by size. ${filler('pan')}\n\n${both}`,
        ),
        page(
          'glossary',
          `# Pan Glossary\n\n## sieve\n\nA net of wires.\n\n## rinse\n\nA wash.\n\n## sand\n\nSmall stones.`,
        ),
        page('more', `# More\n\n## sieve\n\nA sieve sieves.\n\n## sand\n\nSand sand.\n\n## rinse\n\nRinse: rinse.`),
        page('others', `# Others\n\n## sieve\n\nSieve it.\n\n## sand\n\nSand it.\n\n## rinse\n\nRinse it.`),
      ],
    })
    const answerTo = async (question: string) => (await call('ask_question', { question })).structured.answer
    expect(await answerTo('What is the difference between pan rinse and pan sieve?')).toMatch(
      /Moves water over[^]*Parts sand by size/,
    )
    expect(await answerTo('What is the difference between sieve and rinse?')).toMatch(/A net of wires[^]*A wash/)
    expect(await answerTo('What is sand?')).toMatch(/^## sand\n\nSmall stones/)
    expect(await answerTo('What does pan rinse do?')).toMatch(/^## Description\n\nMoves water over/)
  })
})
