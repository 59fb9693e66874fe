import { expect, test } from 'vitest'
import { resultsIn } from '../../../test/support/mcp/results-in.ts'
import { openShelf } from '../../../test/support/mcp/shelf.ts'

const start = (folder: string, name: string) => ({
  url: `https://w.example/${folder}/guide/getting-started`,
  markdown: `# Getting Started\n\nWelcome to ${name}.\n\n## Why ${name}?\n\n\`\`\`\nbecause\n\`\`\`\n\n## Configure\n\nWrite a file for ${name}:\n\n\`\`\`ts\nexport default defineConfig({})\n\`\`\`\n\n## Your first ${name}\n\nMake one:\n\n\`\`\`ts\nmake('${name}')\n\`\`\`\n\n## Next steps\n\n\`\`\`\nmore\n\`\`\`\n`,
})
const install = (folder: string, name: string) => ({
  url: `https://w.example/${folder}/guide/installation`,
  markdown: `# Installation\n\n## With a package manager\n\n\`\`\`sh\nnpm install ${name}\n\`\`\`\n`,
})
const shelf = openShelf({
  label: 'Handbook',
  pages: [
    start('cogs', 'cog'),
    install('cogs', 'cog'),
    start('gears', 'gear'),
    install('gears', 'gear'),
    { url: 'https://w.example/cogs/blog/install-party', markdown: '# Install party\n\n```sh\nnpm install party\n```' },
  ],
})
const ask = (args: object) => shelf.call('get_quickstart', args)
const steps = ({ structured }: any) => structured.results.map((each: any) => [each.phase, each.code[0]?.text])

test('lists the steps in order, with installation from a page beside the guide', async () => {
  const answer = await ask({ topic: 'gear' })
  expect(steps(answer)).toEqual([
    ['install', 'npm install gear'],
    ['configure', 'export default defineConfig({})'],
    ['use', "make('gear')"],
  ])
  expect(answer.text).toMatch(
    /^\[1\] Installation › With a package manager\nSource: https:\/\/w\.example\/gears\/guide\/installation#with-a-package-manager\n\nStep 1, install:\n\n```sh\nnpm install gear\n```/,
  )
  expect(answer.structured).toMatchObject({
    topic: 'gear',
    guide: { url: 'https://w.example/gears/guide/getting-started' },
  })
  expect(resultsIn({ content: [answer] }).map(({ url }) => url)).toEqual([
    'https://w.example/gears/guide/installation#with-a-package-manager',
    'https://w.example/gears/guide/getting-started#configure',
    'https://w.example/gears/guide/getting-started#your-first-gear',
  ])
})

test('names other starting points', async () => {
  expect((await ask({ topic: 'cog' })).text).toMatch(/\[note\] Other guides: .*gears\/guide\/getting-started/)
})

const guide = (body: string) =>
  openShelf({ pages: [{ url: 'https://w.example/quickstart', markdown: `# Quickstart\n\n${body}` }] })
const sh = (code: string) => `\`\`\`sh\n${code}\n\`\`\`\n`

test.each([
  [undefined, ['apt install cog', 'cog init'], 'Linux'],
  ['on Windows', ['winget install cog', 'cog init'], 'Windows (PowerShell)'],
  ['macos', ['brew install cog', 'cog link', 'cog init'], 'macOS'],
])('selects the steps of one system for the topic %s', async (topic, codes, chosen) => {
  const shelf = guide(
    `## Install\n\n### Windows (PowerShell)\n\n${sh('winget install cog')}\n### macOS\n\n#### Download\n\n${sh('brew install cog')}\n#### Link\n\n${sh('cog link')}\n### Linux\n\n${sh('apt install cog')}\n## First use\n\n${sh('cog init')}`,
  )
  const answer = await shelf.call('get_quickstart', topic === undefined ? {} : { topic })
  expect(answer.structured.results.map((each: any) => each.code[0].text)).toEqual(codes)
  expect(answer.text).toContain(`[note] These steps are for "${chosen}". The guide also has`)
})

test.each([
  [undefined, expect.any(String)],
  ['Debian', 'Debian'],
  ['Red Hat', 'RedHat'],
  ['RHEL', 'RedHat'],
  ['FreeBSD', 'FreeBSD'],
  ['OpenBSD', 'OpenBSD'],
])('takes the steps of one platform from a site with a page for each, for the topic %s', async (topic, platform) => {
  const page = (name: string, ...sections: string[]) => ({
    url: `https://w.example/docs/installing-${name.toLowerCase()}`,
    markdown: `# Installing on ${name}\n\n${sections.map((heading) => `## ${heading}\n\n${sh(`${heading} ${name}`)}`).join('\n')}`,
  })
  const site = openShelf({
    pages: [
      page('RedHat', 'Install the tool'),
      page('Debian', 'Install the tool'),
      page('FreeBSD', 'Start the service', 'Run it'),
      page('OpenBSD', 'Start the service', 'Run it'),
    ],
  })
  const { structured } = await site.call('get_quickstart', topic === undefined ? {} : { topic })
  const platforms = new Set(structured.results.map(({ code }: any) => code[0].text.split(' ').at(-1)))
  expect([...platforms]).toEqual([platform])
})

test.each([
  ['Debian', 'RedHat', 'on CentOS'],
  ['Debian', 'macOS', 'linux'],
  ['Linux', 'macOS', 'alpine'],
  ['From package', 'From ports', undefined],
  ['From a package', 'Building from source', undefined],
])('treats "%s" and "%s" as alternatives, for the topic %s', async (one, other, topic) => {
  const shelf = guide(`## Install\n\n### ${other}\n\n${sh('get other')}\n### ${one}\n\n${sh('get one')}`)
  const { structured } = await shelf.call('get_quickstart', topic === undefined ? {} : { topic })
  expect(structured.results.map(({ code }: any) => code[0].text)).toEqual([
    topic === 'on CentOS' ? 'get other' : 'get one',
  ])
})

const rInstallation = guide(
  `## Obtaining cog\n\n${sh('get cog')}\n## 2 Installing Cog under Unix-alikes\n\n${sh('make cog')}\n## 3 Installing Cog under Windows\n\n${sh('cog.exe')}\n## 4 Installing Cog under macOS\n\n${sh('cog.pkg')}\n### 4.1 Uninstalling under macOS\n\n${sh('rm cog')}\n## Packages\n\n### 6.1 Windows\n\nAs elsewhere.\n\n### 6.2 macOS\n\nAs elsewhere, too.\n`,
)

test.each([
  [undefined, ['get cog', 'make cog'], '2 Installing Cog under Unix-alikes'],
  ['Debian', ['get cog', 'make cog'], '2 Installing Cog under Unix-alikes'],
  ['Windows', ['get cog', 'cog.exe'], '3 Installing Cog under Windows'],
  ['macOS', ['get cog', 'cog.pkg'], '4 Installing Cog under macOS'],
])('tells systems apart by headings with the name of the product, for the topic %s', async (topic, codes, chosen) => {
  const { structured, text } = await rInstallation.call('get_quickstart', topic === undefined ? {} : { topic })
  expect(structured.results.map(({ code }: any) => code[0].text)).toEqual(codes)
  // Variants without a step among these are not mentioned.
  expect([...text.matchAll(/These steps are for "([^"]*)"/g)].map(([, name]) => name)).toEqual([chosen])
})

test('gives all steps of a guide in order, over several pages', async () => {
  const many = Array.from({ length: 11 }, (_, at) => `## Use it ${at}\n\n${sh(`use ${at}`)}`).join('\n')
  const shelf = guide(many)
  const codes = ({ structured }: any) => structured.results.map(({ code }: any) => code[0].text)
  const first = await shelf.call('get_quickstart', {})
  const next = await shelf.call('get_quickstart', { cursor: first.structured.nextCursor })
  expect([...codes(first), ...codes(next)]).toEqual(Array.from({ length: 11 }, (_, at) => `use ${at}`))
})

test('takes the steps from the section about the topic', async () => {
  const shelf = guide(
    `## Glazing\n\n${sh('cog glaze')}\n## Firing\n\nHeat it.\n\n### By hand\n\n${sh('cog fire')}\n### With a timer\n\n1. Set the timer.\n2. Close the lid.\n\n## Care\n\n${sh('cog sweep')}`,
  )
  const { structured } = await shelf.call('get_quickstart', { topic: 'firing' })
  expect(structured.results.map(({ heading }: any) => heading)).toEqual(['Firing › By hand', 'Firing › With a timer'])
})

test('reads the prose of a guide about the topic that has no code', async () => {
  const prose = 'The clay has to be dry before it goes into the kiln, or else it will break in the heat. '
  const shelf = openShelf({
    pages: [
      {
        url: 'https://w.example/guide/firing',
        markdown: `# Firing\n\n## Dry it\n\n${prose}\n\n## Stack it\n\n${prose}`,
      },
      { url: 'https://w.example/quickstart', markdown: `# Quickstart\n\n## Install\n\n${sh('get cog')}` },
    ],
  })
  const { structured } = await shelf.call('get_quickstart', { topic: 'firing' })
  expect(structured.results.map(({ heading }: any) => heading)).toEqual(['Dry it', 'Stack it'])
})

test('takes no example of another guide for the way to install', async () => {
  const shelf = openShelf({
    pages: [
      { url: 'https://w.example/tutorial', markdown: `# Tutorial\n\n## Sharing\n\n${sh('git clone /home/alice')}` },
      { url: 'https://w.example/quickstart', markdown: `# Quickstart\n\n## Use it\n\n${sh('cog use')}` },
    ],
  })
  const { structured } = await shelf.call('get_quickstart', {})
  expect(structured.results.map(({ code }: any) => code[0].text)).toEqual(['cog use'])
})

test('leaves out comparisons, and what is for developers of the product', async () => {
  const shelf = guide(
    `## Synopsis\n\n${sh('cog *')}\n## Cog vs. gear\n\n### Speed\n\n${sh('cog race')}\n## Use\n\n${sh('cog use')}\n## Development\n\n${sh('make cog')}`,
  )
  const { structured } = await shelf.call('get_quickstart', {})
  expect(structured.results.map(({ code }: any) => code[0].text)).toEqual(['cog use'])
})

test('says so if no guide is for the topic', async () => {
  const told = async (topic: string) =>
    (await ask({ topic })).text.includes(`No guide of this server is about "${topic}".`)
  expect(await told('React Native')).toBe(true)
  expect(await told('FreeBSD')).toBe(true)
  const mentions = guide(`## Install\n\nThis does not work on FreeBSD.\n\n${sh('make cog')}`)
  expect((await mentions.call('get_quickstart', { topic: 'FreeBSD' })).text).toContain('No guide of this server')
  for (const topic of ['gear', 'getting started', 'gear installation']) expect(await told(topic)).toBe(false)
})

test('uses the Expo guide for React Native', async () => {
  const page = (name: string) => ({
    url: `https://w.example/${name.toLowerCase()}`,
    markdown: `# ${name} Quickstart\n\n## Create an app\n\n${sh(`npx create ${name}`)}`,
  })
  const { structured, text } = await openShelf({ pages: ['React', 'Vue', 'Expo'].map(page) }).call('get_quickstart', {
    topic: 'React Native',
  })
  expect(structured.results[0].code[0].text).toBe('npx create Expo')
  expect(text).not.toContain('No guide')
})

test('begins with the basic configuration where all pages are called README', async () => {
  const page = (name: string, title: string, ...steps: string[]) => ({
    url: `https://m.example/${name}.html`,
    markdown: `# ${title}\n\n${steps.map((step) => `## Configure ${step}\n\n${sh(`set ${step}`)}`).join('\n')}`,
  })
  const mail = openShelf({
    pages: [
      page('TLS_README', 'Mail TLS Support', 'a certificate', 'a key', 'a cipher'),
      page('BASIC_CONFIGURATION_README', 'Mail Basic Configuration', 'a domain'),
      page('MYSQL_README', 'Mail MySQL Howto', 'a table', 'a query', 'a host'),
    ],
  })
  const { structured } = await mail.call('get_quickstart', {})
  expect(structured.results.map(({ code }: any) => code[0].text)).toEqual(['set a domain'])
})

test('treats tabs as alternatives, and the text around them as common', async () => {
  const shelf = guide(
    `## Install\n\nGet it:\n\n**npm**\n\n${sh('npm install cog')}\n**Yarn**\n\n${sh('yarn add cog')}\n**pnpm**\n\n${sh('pnpm add cog')}\nThen restart.\n\n## Use\n\n**First**\n\n${sh('cog one')}\n**Second**\n\n${sh('cog two')}`,
  )
  const { structured, text } = await shelf.call('get_quickstart', {})
  expect(structured.results.map(({ code }: any) => code.map((each: any) => each.text))).toEqual([
    ['npm install cog'],
    ['cog one', 'cog two'],
  ])
  expect(structured.results[0].text).toMatch(/^Get it:[^]+Then restart\.$/)
  expect(text).toContain('These steps are for "npm". The guide also has "Yarn", "pnpm"')
  expect((await shelf.call('get_quickstart', { topic: 'yarn' })).text).toContain('yarn add cog')
})

test('does not use API operations as steps, wherever their description is', async () => {
  const create =
    '# Set up a user: POST /users\n\n## Sample request\n\n```sh\ncurl -X POST https://a.example/users\n```\n'
  const url = 'https://a.example/openapi.json?docent-operation=POST+/users'
  for (const type of ['api', 'docs'] as const) {
    const { structured } = await openShelf({ type, pages: [{ url, markdown: create }] }).call('get_quickstart', {})
    expect(structured).toMatchObject({ guide: null, results: [] })
  }
})

test('accepts a README as a guide', async () => {
  const repo = openShelf({
    type: 'repo',
    pages: [
      {
        url: 'https://github.com/acme/cog/blob/main/README.md',
        markdown:
          '# Cog\n\nTurns.\n\n## Features\n\n```\nno step\n```\n\n## Install\n\n```sh\npip install cog\n```\n\n## Usage\n\n```py\nimport cog\n```\n\n## License\n\nMIT\n',
      },
    ],
  })
  expect(steps(await repo.call('get_quickstart', {}))).toEqual([
    ['install', 'pip install cog'],
    ['use', 'import cog'],
  ])
})

test('continues the steps on the next page', async () => {
  const first = await ask({ topic: 'gear', limit: 2 })
  const next = await ask({ topic: 'gear', limit: 2, cursor: first.structured.nextCursor })
  expect(steps(next)).toEqual([['use', "make('gear')"]])
})

test('ignores a guide to another topic', async () => {
  const use = (name: string) => `Begin with ${name}.\n\n\`\`\`sh\nrun ${name}\n\`\`\`\n`
  const manual = openShelf({
    pages: [
      { url: 'https://m.example/mock-start', markdown: `# mock — getting started\n\n## Use\n\n${use('mock')}` },
      { url: 'https://m.example/library/kilns', markdown: `# Kilns\n\n## Usage\n\n${use('kilns')}` },
    ],
  })
  expect(steps(await manual.call('get_quickstart', { topic: 'kilns' }))[0]).toEqual(['use', 'run kilns'])
  expect(steps(await manual.call('get_quickstart', {}))[0]).toEqual(['use', 'run mock'])
})

test('suggests which source to add if there is no guide', async () => {
  const bare = openShelf({ pages: [{ url: 'https://w.example/oil', markdown: '# Oil\n\nOil it.' }] })
  const { text, structured } = await bare.call('get_quickstart', { topic: 'oil' })
  expect(text).toMatch(/^\[note\] The sources of this server hold no guide to begin with "oil"\. Add the documentation/)
  expect(structured).toMatchObject({ guide: null, results: [], missing: { needs: ['website', 'docs', 'repo', 'pdf'] } })
})

test.each([
  [{ limit: 0 }, '"limit" must be a whole number of 1 to 20'],
  [{ topic: 'x'.repeat(501) }, '"topic" must be text'],
])('refuses the arguments %j', async (args, sentence) => {
  expect(await shelf.fail('get_quickstart', args)).toContain(sentence)
})

const TABS = `## Install\n\nInstall with npm:\n\n${sh('npm i cog')}\nInstall with pnpm:\n\n${sh('pnpm add cog')}\nThen start it:\n\n${sh('npm run cog')}\n${sh('# the same with pnpm\npnpm cog')}\nIt turns.\n\n## First use\n\n${sh('cog init')}`

test.each([
  [{}, ['npm i cog', 'npm run cog'], 'Install with npm'],
  [{ platform: 'pnpm' }, ['pnpm add cog', '# the same with pnpm\npnpm cog'], 'Install with pnpm'],
])('follows one package manager through all steps for the arguments %j', async (args, codes, chosen) => {
  const answer = await guide(TABS).call('get_quickstart', args)
  expect(answer.structured.results[0].code.map(({ text }: any) => text)).toEqual(codes)
  expect(answer.structured.results[1].code[0].text).toBe('cog init')
  expect(answer.text).toContain(`[note] These steps are for "${chosen}". The guide also has`)
  expect(answer.text.match(/\[note\] These steps are for "[^"]+"/g)).toHaveLength(1)
  expect(answer.text).toContain('give it as "platform" to see that.')
})

test('says that no guide has steps for the platform', async () => {
  const { text } = await guide(TABS).call('get_quickstart', { platform: 'windows' })
  expect(text).toContain('[note] The guides have no steps for "windows". These are for others.')
  expect((await guide(TABS).call('get_quickstart', { platform: 'pnpm' })).text).not.toContain('no steps for')
})

test('lists the variants omitted from several sections in one note', async () => {
  const tabs = (...codes: string[]) => codes.map(sh).join('\n')
  const shelf = guide(
    `## Install\n\n${tabs('npm i cog', 'yarn add cog')}\n## Setup\n\n${tabs('npm run cog', 'pnpm cog')}\n`,
  )
  const { text } = await shelf.call('get_quickstart', {})
  expect(text.match(/\[note\] These steps are for .*/g)).toEqual([
    '[note] These steps are for "npm". The guide also has "yarn", "pnpm": give it as "platform" to see that.',
  ])
})

test('keeps consecutive commands that are not alternatives', async () => {
  const shelf = guide(`## Install\n\n${sh('npm i cog')}\n${sh('npm run cog')}\n${sh('cog init')}`)
  const { structured } = await shelf.call('get_quickstart', {})
  expect(structured.results[0].code).toHaveLength(3)
})

test('uses another guide if only that one covers the platform', async () => {
  const page = (name: string, code: string) => ({
    url: `https://w.example/docs/${name.toLowerCase().replaceAll(' ', '-')}`,
    markdown: `# ${name}\n\n## Install\n\n${sh(code)}`,
  })
  const shelf = openShelf({
    pages: [page('Getting started', 'apt install cog'), page('Installing on Windows', 'winget install cog')],
  })
  const codes = async (args: object) => {
    const { structured } = await shelf.call('get_quickstart', args)
    return structured.results.map(({ code }: any) => code[0].text)
  }
  expect(await codes({})).toContain('apt install cog')
  expect(await codes({ platform: 'windows' })).toEqual(['winget install cog'])
})
