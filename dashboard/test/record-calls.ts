import { elementAt } from '../../server/src/lib/arrays.ts'
import { createPageIds } from '@docent/server/store/calls/cited-pages.ts'
import { type LoggedRow, writeCalls } from '@docent/server/store/calls/write-calls.ts'
import type { Store } from '../../server/src/store/db.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

const CLIENTS = ['claude-code', 'cursor', 'vscode', 'codex', 'gemini-cli', 'zed', 'goose']
/** Questions with the pages that their answers cite. Those without pages had no good answer. */
const QUESTIONS = [
  { tool: 'ask_question', text: 'How do I oil a sprocket?', pages: ['/oil'] },
  { tool: 'search_docs', text: 'oiling interval', pages: ['/oil', '/'] },
  { tool: 'ask_question', text: 'How many teeth does a sprocket have?', pages: ['/teeth'] },
  { tool: 'search_docs', text: 'number of teeth', pages: ['/teeth'] },
  { tool: 'ask_question', text: 'Does a sprocket rust in sea water?', pages: [] },
  { tool: 'ask_question', text: 'sprocket rusting in sea water', pages: [] },
  { tool: 'get_code_examples', text: 'order a chain', pages: ['/'] },
]

type Server = { id: string; sourceId: string; url: string }

/** Records calls of 40 days, more on working days and more in the last weeks. */
export async function recordCalls(store: Store, server: Server): Promise<void> {
  const rows = Array.from({ length: 40 }, (_, back) =>
    Array.from({ length: countOf(back) }, (__, index) => callOf(server, back, index)),
  ).flat()
  const pageIds = await createPageIds()(store, rows)
  for (let from = 0; from < rows.length; from += 200)
    await writeCalls(store.write, rows.slice(from, from + 200), { pageIds })
}

const today = () => Math.floor(Date.now() / DAY_MS) * DAY_MS

function countOf(back: number): number {
  if (back === 0) return 6
  const isWeekend = [0, 6].includes(new Date(today() - back * DAY_MS).getUTCDay())
  return Math.round((isWeekend ? 8 : 26) * (1.3 - back / 50)) + ((back * 7) % 9)
}

function callOf({ id: serverId, sourceId, url }: Server, back: number, index: number): LoggedRow {
  const { tool, text, pages } = elementAt(QUESTIONS, (index * 5 + back) % QUESTIONS.length)
  // The citations of older calls are counted once a minute.
  const at = back === 0 ? Date.now() - (index + 1) * MINUTE_MS : today() - back * DAY_MS + (index % 10) * HOUR_MS
  const isFailed = (index + back) % 17 === 0
  const outcome = isFailed ? 'failed' : pages.length === 0 ? 'none' : 'answered'
  const cited = (isFailed ? [] : pages).map((path, rank) => ({
    sourceId,
    url: url + path,
    title: TITLES[path] ?? path,
    rank: rank + 1,
    score: 1,
  }))
  return {
    id: `call_${back}_${index}`,
    serverId,
    at,
    day: Math.floor(at / DAY_MS),
    tool,
    arguments: JSON.stringify(tool === 'ask_question' ? { question: text } : { query: text }),
    query: text,
    clientName: elementAt(CLIENTS, Math.floor(((index * index + back) % 28) / 4)),
    clientVersion: '1.0',
    configurationId: null,
    endUserId: null,
    outcome,
    durationMs: 120 + ((index * 97 + back * 31) % 700) + (isFailed ? 900 : 0),
    error: isFailed ? 'The tool ran for too long.' : null,
    confidence: tool === 'ask_question' && !isFailed ? (outcome === 'none' ? 'none' : 'high') : null,
    segments: null,
    cited,
  }
}

const TITLES: Readonly<Record<string, string>> = { '/': 'Sprocket manual', '/oil': 'Oiling', '/teeth': 'Teeth' }
