import { readFileSync } from 'node:fs'
import type { DocentClient } from '#service/docent-client.ts'

/** A question with the paths of the pages that answer it. */
export type Question = { q: string; right: string[] }

/** Questions by set, from a file `{set: [{q, right}]}`. */
export function readQuestions(file: string): Map<string, Question[]> {
  return new Map(Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, Question[]>))
}

export type Quality = { questions: number; hit1: number; hit3: number; hit5: number; mrr5: number; answerBytes: number }

/**
 * Checks if a right page is among the first five distinct pages of the answer. `answerBytes` is the mean size of its
 * text.
 */
export async function judgeSearch(
  client: DocentClient,
  slug: string,
  questions: readonly Question[],
): Promise<Quality> {
  const quality: Quality = { questions: questions.length, hit1: 0, hit3: 0, hit5: 0, mrr5: 0, answerBytes: 0 }
  for (const { q, right } of questions) {
    const { results, textBytes } = await client.search(slug, q)
    const pages = [...new Set(results.map(({ url }) => pathOf(url)))]
    const rank = pages.findIndex((path) => right.includes(path)) + 1
    quality.hit1 += Number(rank === 1)
    quality.hit3 += Number(rank >= 1 && rank <= 3)
    quality.hit5 += Number(rank >= 1 && rank <= 5)
    quality.mrr5 += rank >= 1 && rank <= 5 ? 1 / rank / questions.length : 0
    quality.answerBytes += textBytes / questions.length
  }
  return { ...quality, mrr5: Math.round(quality.mrr5 * 1000) / 1000, answerBytes: Math.round(quality.answerBytes) }
}

function pathOf(url: string): string {
  const path = decodeURIComponent(new URL(url).pathname)
  return path.length > 1 ? path.replace(/\/$/, '') : path
}
