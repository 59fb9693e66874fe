import { parseBoundedJson } from '#lib/text/parse-bounded-json.ts'
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
  /** Authentication headers, sent only to the host itself. */
  headers: Record<string, string>
  /** Default branch from the last reading, used if the host does not tell. */
  knownBranch: string | null
}

/** An existing repository, and how to request its contents. */
export type OpenRepository = {
  host: RepositoryHost
  name: string
  /** Candidates, the likeliest first: only the host knows where a reference with slashes ends. */
  choices: { ref: string; refKind: RepositoryAddress['refKind']; path: string }[]
}

/** Message for a URL where no readable repository was found. */
export const NO_REPOSITORY =
  'The address does not lead to a repository that can be read. Give the address of a repository at GitHub, GitLab, Gitea, Forgejo, Bitbucket, or of one that git can clone over HTTPS.'

/** References with more segments are not tried. */
const MAX_REF_PARTS = 4
const MAX_ABOUT_BYTES = 1 << 20

const AboutSchema = z.union([
  z.object({ default_branch: z.string().min(1) }).transform((about) => about.default_branch),
  z.object({ mainbranch: z.object({ name: z.string().min(1) }) }).transform((about) => about.mainbranch.name),
])

/**
 * Detects the code host of a URL, and what to read there. Null if no known API answers. Throws `GiveUp` if a host
 * answers that it has no such repository.
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
        // A network error says little about a host that may not be a code host, so try the next kind.
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

/** Returns the host if its name identifies it, else the self-hosted kinds to probe in order. */
function hostsOf(url: URL, githubApiUrl: string): { certain: boolean; hosts: RepositoryHost[] } {
  const { hostname, origin } = url
  const only = (host: RepositoryHost) => ({ certain: true, hosts: [host] })
  if (/^(www\.)?github\.com$/.test(hostname)) return only(githubHost('https://github.com', githubApiUrl))
  // GitHub Enterprise serves its API and its pages at the same origin.
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
    // An HTML page instead of JSON: this is not the assumed host.
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
