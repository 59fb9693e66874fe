import type { Docent } from './harness.ts'

/** A browser that keeps its cookies and does not follow redirects. */
export function openBrowser(docent: () => Docent) {
  const cookies = new Map<string, string>()
  const send = async (path: string, init: RequestInit = {}, site = 'cross-site') => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...init.headers, cookie, 'sec-fetch-site': site }
    const answer = await fetch(new URL(path, docent().url), { redirect: 'manual', ...init, headers })
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=')
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    const location = answer.headers.get('location')
    const to = location === null ? '' : new URL(location, answer.url).href
    return { url: answer.url, status: answer.status, to, text: await answer.text() }
  }
  return {
    cookies,
    send,
    /** The session's account as the dashboard reads it, or null if signed out. */
    async account(): Promise<Record<string, any> | null> {
      const { status, text } = await send('/api/sessions', {}, 'same-origin')
      return status === 200 ? (JSON.parse(text) as { account: Record<string, any> }).account : null
    },
  }
}
