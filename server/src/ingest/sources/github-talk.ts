import type { z } from 'zod'
import type { NetClient, NetResponse } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import {
  type Comment,
  CommentSchema,
  type Issue,
  IssueSchema,
  ReleaseSchema,
  issueDocument,
  releaseDocument,
} from './github-documents.ts'
import type { SourceDocument, SourceOmission } from './source-document.ts'

type Github = {
  fetch: NetClient['fetch']
  /** Without a trailing slash. */
  apiUrl: string
  token: string | null
}

/** Pages of 100 that are asked for of each. */
export type GithubTalkLimits = { releases: number; issues: number; comments: number }

/** With a token 5,000 requests an hour are allowed, without one 60, which all sources of the service share. */
const WITH_TOKEN: GithubTalkLimits = { releases: 3, issues: 10, comments: 20 }
const WITHOUT_TOKEN: GithubTalkLimits = { releases: 1, issues: 2, comments: 3 }
const PAGE = 100
const MAX_BYTES = 16 << 20

/** Ends the reading of one list early, in a sentence. */
type Problem = { reason: string; detail: string }

/**
 * Releases, issues and pull requests of a GitHub repository, the latest first, with what was said about them. Comments
 * are asked for all at once and not for each issue. What cannot be had is an omission, and the rest is read.
 */
export async function* readGithubTalk(
  github: Github,
  name: string,
  limits: Partial<GithubTalkLimits> = {},
): AsyncGenerator<SourceDocument | SourceOmission> {
  const { releases, issues, comments } = { ...(github.token ? WITH_TOKEN : WITHOUT_TOKEN), ...limits }
  const base = `${github.apiUrl}/repos/${name}`
  const site = (part: string) => `https://github.com/${name}/${part}`
  const released = await readList(github, `${base}/releases`, ReleaseSchema, releases)
  for (const release of released.items) if (!release.draft) yield releaseDocument(release)
  if (released.problem) yield { kind: 'failed', url: site('releases'), ...released.problem }
  const latest = 'state=all&sort=updated&direction=desc'
  const found = await readList(github, `${base}/issues?${latest}`, IssueSchema, issues)
  if (found.items.length > 0) {
    const said = await readList(github, `${base}/issues/comments?sort=updated&direction=desc`, CommentSchema, comments)
    const byIssue = groupComments(said.items)
    for (const issue of found.items) yield issueDocument(issue, byIssue.get(issue.number) ?? [])
    if (said.problem) yield { kind: 'failed', url: site('issues?q=is%3Aissue'), ...said.problem }
  }
  if (found.problem) yield { kind: 'failed', url: site('issues'), ...found.problem }
}

async function readList<T>(
  { fetch, token }: Github,
  url: string,
  schema: z.ZodType<T>,
  pages: number,
): Promise<{ items: T[]; problem: Problem | null }> {
  const items: T[] = []
  for (let page = 1; page <= pages; page++) {
    const address = `${url}${url.includes('?') ? '&' : '?'}per_page=${PAGE}&page=${page}`
    const answer = await ask(fetch, address, token)
    if ('problem' in answer) return { items, problem: answer.problem }
    // Issues may be switched off in a repository.
    if (answer.status === 404 || answer.status === 410) break
    const problem = problemOf(answer)
    if (problem) return { items, problem }
    const rows = parseRows(answer.bytes)
    if (!rows)
      return { items, problem: { reason: 'unreadable', detail: 'GitHub answered something that cannot be read.' } }
    // A row that is not as documented is none of our business; the others are.
    for (const row of rows) {
      const parsed = schema.safeParse(row)
      if (parsed.success) items.push(parsed.data)
    }
    if (rows.length < PAGE) break
  }
  return { items, problem: null }
}

async function ask(
  fetch: NetClient['fetch'],
  url: string,
  token: string | null,
): Promise<NetResponse | { problem: Problem }> {
  try {
    return await fetch(url, {
      headers: {
        accept: 'application/vnd.github+json',
        'x-github-api-version': '2022-11-28',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      maxBytes: MAX_BYTES,
    })
  } catch (error) {
    if (!(error instanceof NetError) || error.reason === 'aborted') throw error
    return { problem: { reason: 'unreachable', detail: error.message } }
  }
}

/** https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api */
function problemOf({ status, headers }: NetResponse): Problem | null {
  if (status === 200) return null
  const isSpent = status === 429 || headers['x-ratelimit-remaining'] === '0' || headers['retry-after'] !== undefined
  if (isSpent) {
    const detail =
      'GitHub has been asked too often for now. The next refresh tries again; a linked account may ask more.'
    return { reason: 'rate_limited', detail }
  }
  return { reason: status === 403 ? 'forbidden' : 'http_error', detail: `GitHub answered ${status}.` }
}

function parseRows(bytes: Uint8Array): unknown[] | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'))
    return Array.isArray(value) ? value : null
  } catch {
    // No JSON: the caller says that the answer cannot be read.
    return null
  }
}

/** Of each issue, the oldest first. */
function groupComments(comments: Comment[]): Map<Issue['number'], Comment[]> {
  const groups = new Map<number, Comment[]>()
  for (const comment of comments) {
    const issue = Number(/\/issues\/(\d+)$/.exec(comment.issue_url)?.[1])
    groups.set(issue, [...(groups.get(issue) ?? []), comment])
  }
  for (const group of groups.values()) group.sort((a, b) => a.created_at.localeCompare(b.created_at))
  return groups
}
