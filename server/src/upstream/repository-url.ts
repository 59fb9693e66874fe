/** A repository at a code host that has an interface for asking about it. */
export type RepositoryName = { owner: string; repo: string }

/** The repository that a URL of github.com leads to, or null for anything else. */
export function githubRepository(url: URL): RepositoryName | null {
  if (!/^(www\.)?github\.com$/.test(url.hostname)) return null
  const [owner, name] = url.pathname.split('/').filter(Boolean)
  const repo = name?.replace(/\.git$/, '')
  const wellFormed = /^[\w.-]{1,100}$/
  return owner && repo && wellFormed.test(owner) && wellFormed.test(repo) ? { owner, repo } : null
}
