import { parseBoundedJson } from '#lib/parse-bounded-json.ts'
import { z } from 'zod'
import { GiveUp } from '#jobs/errors.ts'
import type { NetClient, NetResponse } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import {
  type RepositoryAddress,
  type RepositoryHost,
  bitbucketHost,
  giteaHost,
  githubHost,
  gitlabHost,
} from './repository-host.ts'

type Deps = {
  fetch: NetClient['fetch']
  githubApiUrl: string
  /** Headers that let us in, for the host's own addresses. */
  headers: Record<string, string>
  /** Its default branch as the last reading knew it, for when the host does not say. */
  knownBranch: string | null
}

/** A repository that is there, and how to ask for what is in it. */
export type OpenRepository = {
  host: RepositoryHost
  name: string
  /** What to read, the likeliest first: a reference may hold slashes, and where it ends only the host knows. */
  choices: { ref: string; refKind: RepositoryAddress['refKind']; path: string }[]
}

/** For an address at which nothing answers that could be read. */
export const NO_REPOSITORY =
  'The address does not lead to a repository that can be read. Give the address of a repository at GitHub, GitLab, Gitea, Forgejo, Bitbucket, or of one that git can clone over HTTPS.'

/** References with more parts than this are not tried. */
const MAX_REF_PARTS = 4
const MAX_ABOUT_BYTES = 1 << 20

const AboutSchema = z.union([
  z.object({ default_branch: z.string().min(1) }).transform((about) => about.default_branch),
  z.object({ mainbranch: z.object({ name: z.string().min(1) }) }).transform((about) => about.mainbranch.name),
])

/**
 * Finds out which host an address belongs to and what to read there. Null where none of those that have an interface
 * answers; throws `GiveUp` where one does and has no such repository.
 */
export async function openRepository(
  { fetch, githubApiUrl, headers, knownBranch }: Deps,
  address: string,
): Promise<OpenRepository | null> {
  const url = new URL(address)
  const { certain, hosts } = hostsOf(url, githubApiUrl)
  for (const host of hosts) {
    const parsed = host.parse(url.pathname)
    if (!parsed) continue
    const about = await fetch(host.aboutUrl(parsed.name), { headers, maxBytes: MAX_ABOUT_BYTES }).catch(
      (error: unknown) => {
        // Who asks a host that may not be one learns little from what it answers to unknown addresses.
        if (certain || !(error instanceof NetError) || error.reason === 'blocked_address') throw error
        return null
      },
    )
    const branch = about && defaultBranch(about)
    if (branch || (certain && about && !isAbsent(about.status))) {
      return { host, name: parsed.name, choices: choicesOf(parsed, branch ?? knownBranch ?? 'HEAD') }
    }
    if (certain && about) throw new GiveUp(absentSentence(host, parsed.name, about.status))
  }
  if (certain) throw new GiveUp(NO_REPOSITORY)
  return null
}

/** The host by its name where that tells, else those that people run themselves, to be asked in turn. */
function hostsOf(url: URL, githubApiUrl: string): { certain: boolean; hosts: RepositoryHost[] } {
  const { hostname, origin } = url
  const only = (host: RepositoryHost) => ({ certain: true, hosts: [host] })
  if (/^(www\.)?github\.com$/.test(hostname)) return only(githubHost('https://github.com', githubApiUrl))
  // GitHub Enterprise answers under the address of its own interface.
  if (origin === new URL(githubApiUrl).origin) return only(githubHost(origin, githubApiUrl))
  if (/^(www\.)?gitlab\.com$/.test(hostname)) return only(gitlabHost('https://gitlab.com'))
  if (/^(www\.)?bitbucket\.org$/.test(hostname)) return only(bitbucketHost())
  if (hostname === 'codeberg.org') return only(giteaHost(origin))
  const own = [giteaHost(origin), gitlabHost(origin)]
  return { certain: false, hosts: /gitlab/.test(hostname) ? own.toReversed() : own }
}

function choicesOf({ rest, refKind }: RepositoryAddress, branch: string): OpenRepository['choices'] {
  if (rest.length === 0) return [{ ref: branch, refKind: null, path: '' }]
  const choices: OpenRepository['choices'] = []
  for (let parts = 1; parts <= Math.min(rest.length, MAX_REF_PARTS); parts++) {
    choices.push({ ref: rest.slice(0, parts).join('/'), refKind, path: rest.slice(parts).join('/') })
  }
  return choices
}

function defaultBranch({ status, bytes }: NetResponse): string | null {
  if (status !== 200) return null
  try {
    return AboutSchema.safeParse(parseBoundedJson(bytes)).data ?? null
  } catch {
    // A page instead of an answer: this is not the host that it was taken for.
    return null
  }
}

function isAbsent(status: number): boolean {
  return status === 404 || status === 401 || status === 410 || status === 451
}

function absentSentence(host: RepositoryHost, name: string, status: number): string {
  return status === 401
    ? `${host.title} refused the token of the linked account for ${name}.`
    : `${host.title} knows of no repository ${name}, or does not show it to everybody. For a private one, link an account that can read it.`
}
