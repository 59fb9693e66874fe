import { PREVIEWED } from '@docent/contract/operations/pins'
import { PINS } from '@docent/contract/limits'
import { DocentError, found } from '#errors.ts'
import { isoTime } from '#lib/clock.ts'
import { newId } from '#lib/ids.ts'
import { defined } from '#lib/objects.ts'
import { createQuestionKeys } from '#search/rules/question-key.ts'
import { type LoggedCall, listLoggedCalls } from '#store/calls/read-calls.ts'
import { countPins, deletePinRow, insertPin, listPinRows, type PinRow } from '#store/servers/pins.ts'
import { findServedServer } from '#store/servers/served.ts'
import { lockServer } from '#store/servers/servers.ts'
import { type AskedCall, callFor, presentCompared } from './compare-answers.ts'
import { type CheckedCall, type HandlersOf, done } from './operation.ts'

/** Time for the calls of a preview. The rest is left out. */
const MOST_MS = 10_000

export const pinHandlers: HandlersOf<'pins'> = {
  'pins.list': async ({ deps, server }) => {
    const pins = await listPinRows(deps.store.read, server.id)
    if (pins.length === 0) return { pins: [], limit: PINS.perServer }
    const served = found(await findServedServer(deps.store.read, server.id), 'server_not_found')
    const places = await deps.findPlaces(served, pins)
    return { pins: pins.map((pin, at) => present(pin, places[at] === null)), limit: PINS.perServer }
  },

  'pins.create': async (call, input) => {
    const { deps, server, remember } = call
    const { place } = await findPlace(call, input)
    return deps.store.transaction(async (tx) => {
      found(await lockServer(tx, server.id), 'server_not_found')
      if ((await countPins(tx, server.id)) >= PINS.perServer)
        throw new DocentError('pin_limit', { fields: { limit: PINS.perServer } })
      const { effect, questions } = input
      const pin: PinRow = {
        id: newId('pin'),
        serverId: server.id,
        effect,
        ...place,
        questions: JSON.stringify(questions),
        createdAt: deps.clock(),
      }
      await insertPin(tx, pin)
      return remember(tx, { pin: present(pin, false) })
    })
  },

  'pins.delete': ({ deps, server, pin }) =>
    done(deps, async (tx) => {
      await lockServer(tx, server.id)
      if (!(await deletePinRow(tx, pin))) throw new DocentError('pin_not_found')
    }),

  'pins.sections': async ({ deps, server }, { question, query = question }) => {
    const served = found(await findServedServer(deps.store.read, server.id), 'server_not_found')
    return deps.findSections(served, { question, query: query === '' ? question : query })
  },

  'pins.preview': async (call, input) => {
    const { deps, signal } = call
    const { served, place } = await findPlace(call, input)
    const { effect, questions } = input
    const pins = [...(served.pins ?? []), { id: 'pin_preview', effect, questions, ...place }]
    const compare = async (asked: AskedCall) => {
      signal.throwIfAborted()
      const preview = await deps.previewCall(served, asked, { pins })
      return preview && { ...asked, ...preview }
    }
    const until = deps.clock() + MOST_MS
    const answers = []
    for (const question of questions) {
      if (deps.clock() > until) break
      const compared = await compare(callFor(served, question))
      if (compared !== null) answers.push(presentCompared(question, null, compared))
    }
    const calls = await callsWith(call, questions)
    const past = []
    for (const { id, query, ...logged } of calls.slice(0, PREVIEWED.run)) {
      if (deps.clock() > until) break
      const compared = await compare(logged)
      if (compared !== null) past.push(presentCompared(query ?? '', id, compared))
    }
    const { title, heading, url, sourceId } = place
    return {
      section: { title, heading, url, sourceId },
      answers,
      past: past.filter(({ changes }) => changes),
      complete: answers.length === questions.length && past.length === calls.length,
    }
  },
}

type Given = Pick<CheckedCall<'pins.preview'>, 'deps' | 'server'>
type Section = { url: string; heading?: string | undefined; sourceId?: string | undefined }

/** The section that a pin is about, as the index has it. A citation of an entry has its name among the headings. */
async function findPlace({ deps, server }: Given, { url, heading, sourceId }: Section) {
  const served = found(await findServedServer(deps.store.read, server.id), 'server_not_found')
  const page = { url, ...defined({ sourceId }) }
  const [place, byAnchor] = await deps.findPlaces(served, [
    { ...page, heading: heading ?? null },
    { ...page, heading: null },
  ])
  return { served, place: found(place ?? (url.includes('#') ? byAnchor : null) ?? undefined, 'pin_section_not_found') }
}

/** The latest logged call of each tool and arguments that asks one of the questions. */
async function callsWith({ deps, server }: Given, questions: readonly string[]): Promise<LoggedCall[]> {
  await deps.flushCalls()
  const answered = { since: 0, status: 'ok' as const }
  const log = await listLoggedCalls(deps.store.read, server.id, answered, { offset: 0, limit: PREVIEWED.read })
  const keyOf = createQuestionKeys()
  const keys = new Set(questions.map(keyOf))
  const same = log.filter(({ query }) => query !== null && keys.has(keyOf(query)))
  const groups = Map.groupBy(same, ({ tool, arguments: args }) => `${tool} ${args}`)
  return [...groups.values()].flatMap(([latest]) => latest ?? [])
}

function present({ id, effect, questions, title, heading, url, sourceId, createdAt }: PinRow, isStale: boolean) {
  const place = { title, heading, url, sourceId }
  return { id, effect, questions: JSON.parse(questions) as string[], ...place, isStale, createdAt: isoTime(createdAt) }
}
