import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Answer } from '@docent/server/answer/answer.ts'
import { answerFromPassages } from '@docent/server/answer/extractive.ts'
import { findForQuestion } from '@docent/server/answer/question-parts.ts'
import { isVerbatim, withoutMarks } from './answer-verbatim.ts'
import { readSetWorlds, readSiteWorld, type World } from './answer-world.ts'
import { isUseful, readGoldAnswers, type GoldAnswer } from './gold-answers.ts'
import { keepFound } from './keep-found.ts'
import { UsageError } from '#lib/usage-error.ts'

/** Number of citations searched for the right page. */
const FIRST = 3
/** Questions per server that its sources cannot answer. */
const FOREIGN = 100
/** Characters of the first passage that are compared with the answer. */
const FIRST_LENGTH = 1_500
const WARM_UP_ROUNDS = 3
const ROUNDS = 3

/**
 * Quality and cost of extractive answers. Servers are made of the folders of `--sets` (as for `eval`), and of the HTML
 * pages of `--pages` with the set `hand` of `--questions`. Each is asked its own questions: is the right page among the
 * first three citations, and does every sentence occur in the passage it cites? Then each is asked the questions of all
 * others: does it say that it does not know? With `--gold`, the answers to own questions are compared with gold answers.
 * `--found` keeps what the searches found in a folder, so that only the first run indexes the sets. Servers about the
 * same things, named with `--related` as `SET:SET` or `SET/PART:SET`, are not asked each other's.
 */
export async function run(args: string[]): Promise<Record<string, unknown>> {
  const text = { type: 'string' } as const
  const options = {
    sets: text,
    only: text,
    pages: text,
    questions: text,
    details: text,
    related: text,
    gold: text,
    found: text,
  }
  const { sets, only, pages, questions, details, related = '', gold, found } = parseArgs({ args, options }).values
  const read = sets === undefined ? [] : readSets(resolve(sets), only?.split(','))
  const worlds = found === undefined ? read : read.map((world) => keepFound(world, resolve(found)))
  const site = pages && questions ? readSiteWorld('site', { pages: resolve(pages), questions, set: 'hand' }) : null
  if (site) worlds.push(site)
  if (worlds.length === 0) throw new UsageError('There is nothing to ask.')
  const golds = new Map(worlds.map(({ name }) => [name, gold ? readGoldAnswers(resolve(gold), name) : undefined]))

  const asked: Asked[] = []
  for (const world of worlds)
    for (const { id, text: question, right } of world.questions)
      asked.push(await ask(world, question, { right, gold: golds.get(world.name)?.get(id) }))
  const foreign: Asked[] = []
  for (const world of worlds)
    for (const { name, text: question } of foreignQuestions(world, worlds, related.split(',')))
      foreign.push(await ask(world, question, { from: name }))
  if (details) writeFileSync(resolve(details), JSON.stringify({ asked, foreign }, null, 1))
  const perSet = (all: readonly Asked[], measure: (some: readonly Asked[]) => object) =>
    Object.fromEntries([...Map.groupBy(all, ({ set }) => set)].map(([set, some]) => [set, measure(some)]))
  return {
    answerable: { ...judgeKnown(asked), sets: perSet(asked, judgeKnown) },
    unanswerable: { ...judgeForeign(foreign), sets: perSet(foreign, judgeForeign) },
    verbatim: share(asked.concat(foreign), ({ verbatim }) => verbatim),
    ...(site ? { cpuMsPerAsk: await measureCpu(site) } : {}),
  }
}

type Asked = {
  set: string
  /** The server that can answer the question, if it is not the asked one. */
  from?: string
  question: string
  confidence: Answer['confidence']
  /** Rank of the first citation of a right page, from 1; 0 for none. */
  place: number
  verbatim: boolean
  /** Characters of the answer without marks. */
  length: number
  /** Whether the answer, and the first passage, contain half of the facts. Absent without a gold answer. */
  useful?: { answer: boolean; first: boolean }
}

function readSets(folder: string, only: readonly string[] | undefined): World[] {
  return readdirSync(folder)
    .toSorted()
    .filter((name) => (only?.includes(name) ?? true) && existsSync(join(folder, name, 'corpus.jsonl')))
    .flatMap((name) => readSetWorlds(name, join(folder, name)))
}

async function answer({ search }: World, question: string) {
  const found = await findForQuestion(question, search)
  const passages = [found, ...(found.parts ?? []).map((part) => part.found)].flatMap((one) => one.passages)
  return { passages, answer: answerFromPassages(question, found) }
}

type Known = { right?: ReadonlySet<string>; from?: string; gold?: GoldAnswer | undefined }

async function ask(world: World, question: string, { right, from, gold }: Known): Promise<Asked> {
  const { passages, answer: given } = await answer(world, question)
  const pages = given.citations.map(({ url }) => url.replace(/#.*$/, ''))
  const text = given.confidence === 'none' ? '' : withoutMarks(given.answer)
  return {
    set: world.name.replace(/\/.*$/, ''),
    ...(from === undefined ? {} : { from }),
    question,
    confidence: given.confidence,
    place: pages.findIndex((url) => right?.has(url)) + 1,
    verbatim: isVerbatim(given, passages),
    length: text.length,
    ...(gold && {
      useful: {
        answer: isUseful(gold, text),
        first: isUseful(gold, (passages[0]?.passage ?? '').slice(0, FIRST_LENGTH)),
      },
    }),
  }
}

/** Questions of unrelated servers, the same number from each, evenly sampled. */
function foreignQuestions({ name }: World, worlds: readonly World[], related: readonly string[]) {
  const set = (world: string) => world.replace(/\/.*$/, '')
  const others = Map.groupBy(
    worlds.filter(
      (world) =>
        set(world.name) !== set(name) &&
        !related.includes(`${name}:${world.name}`) &&
        !related.includes(`${world.name}:${name}`),
    ),
    (world) => set(world.name),
  )
  return [...others].flatMap(([from, some]) => {
    const questions = some.flatMap((world) => world.questions)
    const step = Math.max(1, (questions.length * others.size) / FOREIGN)
    const count = Math.min(questions.length, Math.ceil(FOREIGN / others.size))
    return Array.from({ length: count }, (_, index) => ({
      name: from,
      text: questions[Math.floor(index * step)]?.text ?? '',
    })).filter(({ text }) => text !== '')
  })
}

function judgeKnown(asked: readonly Asked[]) {
  return {
    questions: asked.length,
    rightAmongFirstThree: share(asked, ({ place }) => place >= 1 && place <= FIRST),
    rightAtAll: share(asked, ({ place }) => place >= 1),
    saidUnknown: share(asked, ({ confidence }) => confidence === 'none'),
    ...confidences(asked),
    ...judgeUseful(asked),
  }
}

/** Usefulness by gold answers. `lost`: the share of declined questions whose first passage contained the answer. */
function judgeUseful(asked: readonly Asked[]) {
  const scored = asked.flatMap(({ useful, confidence }) => (useful ? [{ ...useful, confidence }] : []))
  if (scored.length === 0) return {}
  const answered = asked.filter(({ confidence }) => confidence !== 'none')
  const useful = (some: typeof scored) => share(some, (one) => one.answer)
  return {
    useful: {
      all: useful(scored),
      odd: useful(scored.filter((_, at) => at % 2 === 0)),
      even: useful(scored.filter((_, at) => at % 2 === 1)),
    },
    usefulFirstPassage: share(scored, (one) => one.first),
    usefulWhenHigh: useful(scored.filter(({ confidence }) => confidence === 'high')),
    lost: share(
      scored.filter(({ confidence }) => confidence === 'none'),
      (one) => one.first,
    ),
    meanLength: Math.round(answered.reduce((sum, { length }) => sum + length, 0) / Math.max(1, answered.length)),
  }
}

/** The answer must say "The sources do not answer this" or "do not answer this directly". */
function judgeForeign(asked: readonly Asked[]) {
  return {
    questions: asked.length,
    saidUnknown: share(asked, ({ confidence }) => confidence === 'none' || confidence === 'low'),
    ...confidences(asked),
  }
}

function confidences(asked: readonly Asked[]) {
  return Object.fromEntries(
    (['high', 'medium', 'low', 'none'] as const).map((one) => [one, asked.filter((a) => a.confidence === one).length]),
  )
}

/** CPU milliseconds of search and answer together. */
async function measureCpu(world: World): Promise<number> {
  const askAll = async () => {
    for (const { text } of world.questions) await answer(world, text)
  }
  for (let done = 0; done < WARM_UP_ROUNDS * 10; done++) await askAll()
  const before = process.cpuUsage()
  for (let done = 0; done < ROUNDS * 10; done++) await askAll()
  const { user, system } = process.cpuUsage(before)
  return Math.round((user + system) / ROUNDS / 10 / world.questions.length) / 1000
}

function share<T>(all: readonly T[], test: (one: T) => boolean): number {
  return all.length === 0 ? 0 : Math.round((1000 * all.filter(test).length) / all.length) / 1000
}
