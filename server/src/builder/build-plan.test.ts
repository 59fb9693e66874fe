import { describe, expect, test } from 'vitest'
import type { PlaceAnswer, PlaceQuestion } from '#grammar/read-with-places.ts'
import { checkPlan } from '#mcp/custom/check-plan.ts'
import { toolFor } from '#mcp/tools/tools.ts'
import { buildPlan, type Content } from './build-plan.ts'
import { nameTool } from './name-tool.ts'
import type { Survey } from './survey.ts'

const SURVEY: Survey = {
  pages: 100,
  sources: [
    { id: 'src_docs', type: 'docs', url: 'https://docs.rivet.example/', label: 'Rivet Docs' },
    { id: 'src_wiki', type: 'website', url: 'https://wiki.rivet.example/', label: 'Quay Wiki' },
  ],
  languages: ['ts', 'sh', 'yaml'],
  versions: ['7', '8', '9'],
  has: { changes: true, issues: false },
  paths: ['/helm-chart', '/guides', '/providers', '/providers/amazon'],
  pageVersions: ['v8'],
  unknownWords: ['kraken', 'frobnicator'],
  remoteTools: [
    { source: 'Tides', name: 'high_water', isCallable: true, arguments: [{ name: 'harbor', isRequired: true }] },
    { source: 'Tides', name: 'dredge', isCallable: false, arguments: [] },
  ],
}

/** Pages by name and by glob. */
const PLACES: Readonly<Record<string, string>> = {
  'helm chart': '/helm-chart/*',
  guide: '/guides/*',
  guides: '/guides/*',
}
const GLOBS = ['/guides/*', '/providers/amazon/*', '*guide*', '*/blog/*', '/de/*']

function answerOf(question: PlaceQuestion): PlaceAnswer {
  if ('version' in question) return { globs: [], nearest: [] }
  const found =
    'glob' in question ? GLOBS.filter((glob) => glob === question.glob) : (PLACES[question.words.join(' ')] ?? [])
  return { globs: [found].flat(), nearest: [] }
}

const contentOf = (survey: Survey, problem: string | null = null): Content => ({
  about: 'the docs',
  survey: async () => survey,
  lookUp: async (questions) => questions.map(answerOf),
  tryPlan: async () => [{ input: { name: 'max_threads' }, problem }],
})

type Given = { taken?: string[]; drafts?: object[]; failures?: unknown[] }

async function build(
  prompt: string,
  content: Content | null = contentOf(SURVEY),
  { taken = [], drafts, failures = [] }: Given = {},
) {
  const told: string[] = []
  const built = await buildPlan(
    {
      content,
      checkPlan: (draft) => checkPlan(draft, (name) => toolFor(name, [{ type: 'mcp' }])),
      model: drafts
        ? {
            complete: async () => ({
              text: JSON.stringify(drafts.shift()),
              isWhole: true,
              usage: { inputTokens: 1, outputTokens: 1 },
            }),
          }
        : null,
      onFailure: (error) => failures.push(error),
      taken: new Set(taken),
      onProgress: (stage, message) => void told.push(`${stage}: ${message}`),
    },
    prompt,
  )
  return { ...built, told }
}

async function planOf(prompt: string) {
  const built = await build(prompt)
  if ('problem' in built) throw new Error(built.problem)
  return built.plan
}

async function problemOf(prompt: string, content?: Content) {
  const built = await build(prompt, content)
  return 'problem' in built ? built.problem : JSON.stringify(built.plan)
}

describe('a draft of a model', () => {
  const draftOf = (query: string, filters?: object) => ({
    name: 'find_retries',
    displayName: 'Find',
    description: 'Finds pages.',
    inputSchema: {
      type: 'object',
      properties: { topic: { type: 'string', description: 'The topic' } },
      required: ['topic'],
    },
    steps: [{ operation: 'search_docs', arguments: { query }, ...(filters ? { filters } : {}) }],
    output: { form: 'list' },
  })
  const prompt = 'Find pages about retries for a topic.'

  test('is used if each word of the request has a part in it', async () => {
    const { plan } = (await build(prompt, undefined, {
      drafts: [draftOf('{topic}'), draftOf('retries {topic}')],
    })) as any
    expect(plan.steps[0].arguments.query).toBe('retries {topic}')
    expect(plan.instruction).toBe(prompt)
  })

  test('is not used if it twice loses a word of the request', async () => {
    const failures: unknown[] = []
    const { plan } = (await build(prompt, undefined, {
      drafts: [draftOf('{topic}'), draftOf('{topic}')],
      failures,
    })) as any
    expect(String(failures[0])).toContain('retries')
    expect(JSON.stringify(plan.steps)).toContain('retries')
  })
})

describe('plan', () => {
  test('has both arguments of a request with two', async () => {
    const { inputSchema, steps } = await planOf('Explain a flag, given the command and the flag.')
    expect(inputSchema.required).toEqual(['command', 'option'])
    expect(steps[0]?.arguments).toMatchObject({ name: '{command} {option}' })
  })

  test('lists the things of an owner', async () => {
    const { inputSchema, steps } = await planOf('List every option of a command as a table.')
    expect(inputSchema.required).toEqual(['command'])
    expect(steps[0]).toMatchObject({
      operation: 'list_entries',
      arguments: { kinds: 'option,setting', of: '{command}' },
    })
    const named = await planOf('What options does rivet push have for retries?')
    expect(named.steps[0]?.arguments).toEqual({ kinds: 'option,setting', of: 'rivet push', about: 'retries' })
  })

  test.each([
    ['Look up an option of rivet push and say what it does.', 'rivet push'],
    ['Check if an option exists in rivet push.', 'rivet push'],
    ['Which option of rivet list do I need?', 'rivet list'],
    ['Explique une option de rivet push.', 'rivet push'],
    ['Look up a setting of the broker.', undefined],
    ['Find an error code in the log.', undefined],
  ])('looks up a thing of the owner that the request names: %s', async (prompt, of) => {
    const { steps } = await planOf(prompt)
    expect(steps[0]?.operation).toBe('find_entries')
    expect(steps[0]?.arguments['of']).toBe(of)
  })

  test('leaves out an owner that the sources lack, and says so', async () => {
    const tryPlan: Content['tryPlan'] = async ({ plan: { steps } }) => [
      { input: { option: '--force' }, problem: steps[0]?.arguments['of'] === undefined ? null : 'It found nothing.' },
    ]
    const built = await build('Explain an option of rivet push.', { ...contentOf(SURVEY), tryPlan })
    expect(built).toMatchObject({ plan: { leftOut: ['rivet push'] } })
    expect(built.told.join('\n')).toContain('does not use “rivet push”')
  })

  test.each([
    ['List the deprecated settings.', ['deprecated']],
    ['Summarise the quick start page.', ['quick start']],
    ['Say which setting controls the width of a file.', ['width', 'file']],
    ['Say which setting controls the width of a gate.', ['width']],
    ['List the breaking changes of the latest releases.', undefined],
    ['Look up a setting by its name and explain what it does.', undefined],
  ])('says which words of %j it does not use', async (prompt, leftOut) => {
    expect((await planOf(prompt)).leftOut).toEqual(leftOut)
  })

  test('shortens an owner until the sources have it', async () => {
    const tryPlan: Content['tryPlan'] = async ({ plan: { steps } }) => [
      {
        input: { option: '--force' },
        problem: steps[0]?.arguments['of'] === 'rivet push' ? null : 'It found nothing.',
      },
    ]
    const built = await build('Quelle option de rivet push exclut des fichiers ?', { ...contentOf(SURVEY), tryPlan })
    expect('plan' in built && built.plan.leftOut).toEqual(['exclut des fichiers'])
  })

  test.each([
    ['Explain what a Rivet setting does.', { source: 'Rivet Docs' }],
    ['Explain what a Sprocket setting does.', { source: 'Sprocket Manual' }],
    ['Explain what a setting does.', undefined],
    ['Compare Rivet and Sprocket.', undefined],
    ['Quote a term from the Sprocket docs.', { source: 'Sprocket Manual' }],
  ])('uses the documentation of the product that the request names: %s', async (prompt, filters) => {
    const sprocket = { id: 'src_2', type: 'docs' as const, url: 'https://sprocket.example/', label: 'Sprocket Manual' }
    const built = await build(prompt, contentOf({ ...SURVEY, sources: [...SURVEY.sources, sprocket] }))
    expect('plan' in built && built.plan.steps[0]?.filters).toEqual(filters)
  })

  test('compares more than two things, by what the request names', async () => {
    const { steps } = await planOf('Compare Redis, Valkey and Memcached by speed.')
    expect(steps[0]?.arguments).toEqual({ first: 'Redis', second: 'Valkey', third: 'Memcached', aspects: 'speed' })
  })

  test('offers only languages that the content has', async () => {
    const { inputSchema } = await planOf('Code examples for a task.')
    expect(inputSchema.properties['language']?.enum).toEqual(SURVEY.languages)
    expect(await problemOf('Code examples in Rust for a task.')).toContain('no code in “rust”')
  })

  test.each([
    ['Answer questions, but only from the pages of the Helm chart.', { path: '/helm-chart' }],
    ['Answer questions only from the Rivet Docs.', { source: 'Rivet Docs' }],
    [
      'Answer questions only from the Quay Wiki, never from the blog.',
      { source: 'Quay Wiki', not: [{ path: '*/blog/*' }] },
    ],
    ['Answer questions, only using pages under /providers/amazon.', { path: '/providers/amazon' }],
    [
      'Answer questions only from the guides and the Quay Wiki.',
      { anyOf: [{ path: '/guides' }, { source: 'Quay Wiki' }] },
    ],
    ['Beantworte Fragen nur aus dem Blog.', { path: '*/blog/*' }],
    ['Search the Quay Wiki for a topic.', { source: 'Quay Wiki' }],
    ['Find a setting in the Quay Wiki.', { source: 'Quay Wiki' }],
    ['Look up a setting for version 8.', { version: '8' }],
    ['Explain a concept, only in plain words.', undefined],
    ['How do I rotate a key? Take the answer from the guides pages.', { path: '/guides' }],
  ])('restricts the steps to what the request allows: %s', async (prompt, filters) => {
    const { steps } = await planOf(prompt)
    for (const step of steps) expect(step.filters).toEqual(filters)
  })

  test.each([
    ['a source', 'Answer questions only from the Sprocket forum archive.', '“Sprocket forum archive”'],
    ['pages that the sources lack', 'Explain a concept from the sprocket pages.', '“sprocket pages”'],
    ['a section', 'Explain a concept, only from the guides in section 5.', '“guides in section 5”'],
    ['a version', 'Look up a setting for version 3.', '“version 3”'],
    ['a preference', 'Answer questions, and prefer the guides.', 'only those'],
    ['a product', 'Look up a setting of the Kraken by its name.', '“Kraken”'],
    ['no thing', 'Something helpful that makes everybody more productive.', 'not clear'],
    ['an action besides', 'Look up a setting and send it to the chat.', 'Understood: Looks up the setting'],
    ['a remote tool that changes something', 'Use the dredge tool for a harbor.', '“dredge”'],
  ])('refuses %s with a sentence that helps', async (_, prompt, said) => {
    expect(await problemOf(prompt)).toContain(said)
  })

  test('returns the newest release without asking for versions', async () => {
    const { inputSchema, steps } = await planOf("What's new in the latest version?")
    expect(inputSchema).toEqual({ type: 'object', properties: {} })
    expect(steps).toEqual([{ operation: 'read_releases', arguments: { version: 'latest', limit: 1 } }])
  })

  test('turns alternatives in brackets into a choice argument', async () => {
    const { inputSchema } = await planOf('Given the framework (Selenium, Playwright or Protractor), answer a question.')
    expect(inputSchema.properties['framework']?.enum).toEqual(['Selenium', 'Playwright', 'Protractor'])
  })

  test('calls the remote tool that the request names', async () => {
    const { inputSchema, steps } = await planOf('Use the high water tool to look up the tide for a harbor.')
    expect(inputSchema.required).toEqual(['harbor'])
    expect(steps[0]?.arguments).toEqual({
      source: 'Tides',
      tool: 'high_water',
      arguments: { json: { harbor: '{harbor}' } },
    })
  })

  test('passes words on form to the assistant, and names those that no source has', async () => {
    const prompt = 'Look up a setting by its name, in two sentences and with a frobnicator.'
    const { instruction, leftOut } = await planOf(prompt)
    expect([instruction, leftOut]).toEqual([prompt, ['frobnicator']])
  })

  test('reads the releases since a version', async () => {
    const { inputSchema, steps } = await planOf('List the breaking changes since a version.')
    expect(Object.keys(inputSchema.properties)).toEqual(['from_version', 'topic'])
    expect(steps[0]?.arguments).toMatchObject({ range: '>{from_version}', part: 'breaking' })
    const fixed = await planOf('List the breaking changes since version 8.')
    expect(fixed.steps[0]?.arguments).toMatchObject({ range: '>8' })
  })

  test('leaves what no filter can leave out to the assistant, and does not search for it', async () => {
    const { leftOut, instruction, steps } = await planOf('Search the docs for a topic, but nothing about billing.')
    expect(leftOut).toEqual(['nothing about billing'])
    expect(instruction).toContain('billing')
    expect(JSON.stringify(steps)).not.toContain('billing')
  })

  test('says what it understood before it tries the plan', async () => {
    const { told } = await build('Find a setting in the Quay Wiki, in two sentences.')
    expect(told).toEqual([
      'reading: Reading the docs.',
      expect.stringMatching(
        /^designing: Understood: Looks up the setting .*, only from “Quay Wiki”\. .*to the assistant/,
      ),
      'validating: Tried the tool with “max_threads”.',
    ])
  })

  test('checks a plan against the schema only if there is no content', async () => {
    const built = await build('Look up a rule by its name.', null)
    expect(built).toMatchObject({ plan: { name: 'look_up_rule' } })
  })

  test.each([
    ['trial calls fail', contentOf(SURVEY, 'It found nothing.'), 'failed: It found nothing.'],
    ['nothing is indexed yet', contentOf({ ...SURVEY, pages: 0 }), 'no indexed pages yet'],
  ])('fails with a sentence if %s', async (_, content, reason) => {
    expect(await problemOf('Look up a rule by its name and show its options.', content)).toContain(reason)
  })
})

describe('name', () => {
  test('keeps the name that the request gives the tool', async () => {
    expect((await planOf('explain_rule(name): the documentation of one rule')).name).toBe('explain_rule')
    expect((await planOf('search_docs: search for a topic, best first')).name).toBe('my_search_docs')
  })

  test('has whole words, at most 21 characters, and no codes', async () => {
    expect(nameTool(['look_up', 'environment_variable'], null)).toBe('look_up_environment')
    expect((await planOf('Given an error code like KQ2003, explain it.')).name).toBe('explain_error_code')
  })
})
