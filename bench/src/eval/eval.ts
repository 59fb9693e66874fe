import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createRetriever, createSearchMemory } from '@docent/server/search/retrieve.ts'
import { runBaselines } from './baselines.ts'
import { evalRules } from '#rules/eval-rules.ts'
import { type EvalIndex, indexEvalSet } from './eval-index.ts'
import { measureRun, type Metrics, type Run } from './eval-metrics.ts'
import { type EvalSet, readEvalSet } from './eval-set.ts'
import { evalTable, type SetFigures } from './eval-table.ts'
import { type Random, seededRandom, withTypo } from '#lib/typo.ts'
import { UsageError } from '#lib/usage-error.ts'

/**
 * Indexes a set's documents as a crawl would, asks each of its questions as `search_docs` does, and compares the found
 * pages with the relevant ones. `--run` saves the results as `{query: [document, …]}`; `--typos` puts one typo into
 * each question. `--all` compares with other engines in a table. `--rules` compiles the sentences in `rules/` instead,
 * and `--tools` measures custom tools (`eval-tools.ts`).
 */
export async function run(args: string[]): Promise<Record<string, unknown>> {
  if (args[0] === '--tools') return (await import('./eval-tools.ts')).evalTools(args.slice(1))
  const text = { type: 'string' } as const
  const options = { set: text, all: text, run: text, typos: text, rules: { type: 'boolean' } } as const
  const { set, all, run: runFile, typos, rules } = parseArgs({ args, options }).values
  if (rules) return evalRules()
  const random = typos === undefined ? null : seededRandom(Number(typos))
  if (set !== undefined)
    return { ...(await evalSet(basename(resolve(set)), readSet(resolve(set), random), { runFile })) }
  if (all === undefined) throw new UsageError('Name a set, or a folder of sets.')
  const sets: Record<string, SetFigures> = {}
  for (const name of readdirSync(resolve(all)).toSorted()) {
    const folder = join(resolve(all), name)
    if (!existsSync(join(folder, 'corpus.jsonl'))) continue
    const read = readSet(folder, random)
    const ours = await evalSet(name, read, {})
    const others = [...runBaselines(read)].map(([engine, found]) => [engine, measureRun(read.grades, found)] as const)
    sets[name] = { ours, others: Object.fromEntries(others) }
  }
  const scores = Object.values(sets).map(({ ours }) => ours.ndcg10)
  const macro = Math.round((1000 * scores.reduce((sum, score) => sum + score, 0)) / scores.length) / 1000
  process.stderr.write(`${evalTable(sets)}\n`)
  return { macro, sets }
}

/** Pages found for a question. The metrics use ten; a run file has all. */
const DEPTH = 100

function readSet(folder: string, random: Random | null): EvalSet {
  const set = readEvalSet(folder)
  if (random !== null) for (const query of set.queries) query.text = withTypo(query.text, random)
  return set
}

async function evalSet(name: string, set: EvalSet, { runFile }: { runFile?: string | undefined }): Promise<Metrics> {
  const index = indexEvalSet(set)
  const { found, queryMs } = await runQueries(set, index)
  const metrics = measureRun(set.grades, found)
  if (runFile !== undefined) writeFileSync(resolve(runFile), JSON.stringify(Object.fromEntries(found)))
  process.stderr.write(`${describe(name, set, { metrics, queryMs, buildMs: index.buildMs })}\n`)
  return metrics
}

async function runQueries(set: EvalSet, index: EvalIndex): Promise<{ found: Run; queryMs: number }> {
  const segments = new Map(index.sources.map(({ id, segment }) => [id, segment]))
  const retriever = createRetriever(
    {
      loadSegment: async (id) => segments.get(id) ?? null,
      loadTexts: async (_, hashes) =>
        new Map(hashes.flatMap((hash) => [[hash, index.texts.get(hash) ?? new Uint8Array()]])),
    },
    createSearchMemory({ cacheBytes: Number.MAX_SAFE_INTEGER }),
  )
  const sources = index.sources.map(({ id }) => ({
    id,
    url: '',
    type: 'docs' as const,
    label: null,
    crawlStatus: 'complete' as const,
    pagesFound: 0,
    pagesIndexed: 0,
    segments: [id],
  }))
  const found = new Map<string, string[]>()
  const before = process.cpuUsage()
  for (const { _id, text, docset } of set.queries) {
    const request = { query: text, limit: 50, ...(docset === undefined ? {} : { sourceId: docset }) }
    const { chunks } = await retriever.rank({ sources }, request, DEPTH)
    const urls = new Set(chunks.map(({ part, page }) => part.segment.url(page)))
    found.set(
      _id,
      [...urls].map((url) => index.documents.get(url) ?? url),
    )
  }
  const { user, system } = process.cpuUsage(before)
  return { found, queryMs: (user + system) / 1000 / Math.max(1, set.queries.length) }
}

type Figures = { metrics: Metrics; queryMs: number; buildMs: number }

function describe(name: string, set: EvalSet, { metrics, queryMs, buildMs }: Figures): string {
  const { n, ndcg10, recall10, mrr10, hit1, hit5 } = metrics
  return [
    name.padEnd(20),
    `nDCG@10 ${ndcg10.toFixed(3)}`,
    `recall@10 ${recall10.toFixed(3)}`,
    `MRR@10 ${mrr10.toFixed(3)}`,
    `hit@1 ${hit1.toFixed(3)}`,
    `hit@5 ${hit5.toFixed(3)}`,
    `(${set.documents.length} documents, ${n} questions, ${queryMs.toFixed(2)} ms a question, ${(buildMs / set.documents.length).toFixed(2)} ms a document)`,
  ].join('  ')
}
